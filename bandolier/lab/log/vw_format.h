// Events as text of Vowpal Wabbit: lines of type cb where all have the same actions and nothing is
// said of those but their names, else blocks of type cb_adf, in which an action's name is a word of
// the namespace `id`. A number user.age is `|user age:37`, a word country=PE `|country PE`. Blanks,
// bars and colons in names become '_'.
#pragma once

#include "bandolier/lab/log/log_writer.h"

namespace bandolier {

class VwFormat final : public EventFormat {
 public:
  void look_at(const LoggedEvent& event) override;
  void append(const LoggedEvent& event, std::string& out) override;
  std::vector<Note> notes() const override;

 private:
  void append_label(const LoggedEvent& event, Index action, std::string& out) const;
  // `named`: an action's name, which is no feature again.
  void append_values(const NamedValues& values, const std::string& named, std::string& out);
  void append_numbers(std::span<const float> numbers, std::string& out);
  void append_word(std::string_view word, std::string& out);

  std::vector<std::string> actions_;  // of the first event
  bool blocks_ = false;
  std::int64_t skipped_ = 0, dropped_ = 0, replaced_ = 0;
};

}  // namespace bandolier
