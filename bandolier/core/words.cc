#include "bandolier/core/words.h"

#include <string>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier::internal {

void fail_word(std::string_view name, std::string_view word, Words words) {
  const std::vector<std::string> known(words.begin(), words.end());
  fail("{}={}: expected {}{}", name, word, join(known, "|"), nearest(word, known));
}

}  // namespace bandolier::internal
