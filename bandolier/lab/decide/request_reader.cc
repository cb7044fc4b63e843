#include "bandolier/lab/decide/request_reader.h"

#include <algorithm>
#include <set>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/log/json_values.h"
#include "bandolier/model/schema_encoder.h"

namespace bandolier {
namespace {

// The input, and what was read ahead of it.
class PeekedInput final : public Input {
 public:
  explicit PeekedInput(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // The first byte that is no blank; 0 where there is none.
  char first() {
    for (;;) {
      for (const char c : ahead_) {
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
      }
      char buffer[256];
      const std::size_t count = input_->read(buffer);
      if (count == 0) return 0;
      ahead_.append(buffer, count);
    }
  }

  const std::string& name() const override { return input_->name(); }
  std::size_t read(std::span<char> out) override {
    if (ahead_.empty()) return input_->read(out);
    const std::size_t count = ahead_.copy(out.data(), out.size());
    ahead_.erase(0, count);
    return count;
  }
  void rewind() override { input_->rewind(); }

 private:
  std::unique_ptr<Input> input_;
  std::string ahead_;
};

float checked_reward(double reward) {
  if (!fits_float(reward)) fail("the reward is {}: expected a finite number", reward);
  return static_cast<float>(reward);
}

std::string text_or_number(const JsonElement& value, std::string_view what) {
  if (value.is_string()) return std::string(text_of(value));
  if (!value.is_number()) {
    fail("{} is {}: expected a text or a number", what, type_name(value));
  }
  return json_text(value);
}

JsonElement parsed(JsonParser& parser, std::string_view line) {
  try {
    const JsonElement json = parser.parse(line);
    if (is_object(json)) return json;
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with("cannot be read")) throw;
  }
  fail("expected a JSON object, as {{\"id\": 1, \"context\": {{\"age\": 31}}}}");
}

// "a", or {"id": "a", ...what is known of it}.
void append_action(const JsonElement& item, Request& request) {
  NamedValues& values = request.of_actions.emplace_back();
  if (!item.is_object()) {
    request.actions.push_back(text_or_number(item, "an action"));
    return;
  }
  const auto id = find(JsonObject(item), "id");
  if (!id) fail("an action has no \"id\": expected one, as in {{\"id\": \"a\"}}");
  request.actions.push_back(text_or_number(*id, "an action's id"));
  append_json(item, Underscored::kTake, values, "id");
}

}  // namespace

RequestReader::RequestReader(std::unique_ptr<Input> input, const FeatureEncoder& of_context)
    : words_(dynamic_cast<const SchemaEncoder*>(&of_context) != nullptr) {
  auto peeked = std::make_unique<PeekedInput>(std::move(input));
  const char first = peeked->first();
  input_ = std::move(peeked);
  if (first == '{') {
    lines_ = std::make_unique<LineReader>(*input_);
  } else {
    records_ = std::make_unique<RecordReader>(*input_, '\0');
    read_header(of_context);
  }
}

RequestReader::~RequestReader() = default;

void RequestReader::read_header(const FeatureEncoder& of_context) {
  const auto* schema = dynamic_cast<const SchemaEncoder*>(&of_context);
  std::set<std::string> known;
  if (schema != nullptr) {
    for (const FeatureColumn& column : schema->schema().columns) known.insert(column.name);
  }
  if (!records_->next(fields_)) return;
  std::set<std::string> seen;
  for (const std::string_view field : fields_) {
    const std::string name(field);
    if (!name.empty() && !seen.insert(name).second) {
      fail("{}: the header has column '{}' twice: expected each name once", input_->name(),
           shorten(name));
    }
    Role role = schema == nullptr || known.contains(name) ? Role::kFeature : Role::kIgnored;
    if (!known.contains(name)) {
      if (name == "id") role = Role::kId;
      if (name == "action") role = Role::kAction;
      if (name == "reward") role = Role::kReward;
    }
    if (role == Role::kIgnored || name.empty()) {
      role = Role::kIgnored;
      unknown_.push_back(name);
    }
    columns_.push_back(name);
    roles_.push_back(role);
  }
  if (std::find(roles_.begin(), roles_.end(), Role::kFeature) == roles_.end()) {
    fail("{}: found the columns {}: expected JSON lines, or a table whose header has some of {}",
         input_->name(), shorten(join(columns_, ", ")),
         known.empty() ? "the features"
                       : shorten(join(std::vector(known.begin(), known.end()), ", ")));
  }
}

void RequestReader::read_json(std::string_view line, Request& request) {
  const JsonElement json = parsed(parser_, line);
  for (const auto& [name, value] : JsonObject(json)) {
    if (name == "id") {
      if (!value.is_string() && !value.is_number()) {
        fail("\"id\" is {}: expected a text or a number", type_name(value));
      }
      request.id = json_text(value);
      request.has_id = true;
    } else if (name == "context") {
      request.has_context = true;
      if (value.is_array()) {
        append_json_list("x", JsonArray(value), Underscored::kTake, request.context);
      } else {
        append_json(value, Underscored::kTake, request.context);
      }
    } else if (name == "actions") {
      if (!value.is_array()) fail("\"actions\" is {}: expected a list", type_name(value));
      for (const JsonElement item : JsonArray(value)) append_action(item, request);
    } else if (name == "action") {
      request.action = text_or_number(value, "\"action\"");
    } else if (name == "reward") {
      if (value.is_null()) continue;
      if (!value.is_number()) fail("\"reward\" is {}: expected a number", type_name(value));
      request.reward = checked_reward(number_of(value));
    } else {
      fail(
          "found \"{}\": expected id, context, actions, action and reward; features go into "
          "\"context\"",
          shorten(name));
    }
  }
}

void RequestReader::read_row(Request& request) const {
  if (fields_.size() != columns_.size()) {
    fail("found {} columns, expected {} as in the header", fields_.size(), columns_.size());
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string_view field = fields_[i];
    if (roles_[i] == Role::kIgnored || missing_(field)) continue;
    switch (roles_[i]) {
      case Role::kId:
        request.id = json_text(nlohmann::json(std::string(field)));
        request.has_id = true;
        break;
      case Role::kAction:
        request.action = std::string(field);
        break;
      case Role::kReward: {
        const auto reward = parse_double(field);
        if (!reward) fail("column 'reward' holds '{}': expected a number", shorten(field));
        request.reward = checked_reward(*reward);
        break;
      }
      default:
        request.has_context = true;
        if (const auto number = parse_double(field); number && !words_) {
          request.context.number(columns_[i], *number);
        } else {
          request.context.word(columns_[i], field);
        }
    }
  }
  // A row without anything known, and no reward of an earlier one, is a context all the same.
  if (!request.reward) request.has_context = true;
}

bool RequestReader::next(Request& request) {
  request.clear();
  std::string_view line;
  broken_ = true;  // if this throws
  const bool more = lines_ != nullptr ? lines_->next(line) : records_->next(fields_);
  broken_ = false;
  if (!more) return false;
  const Index number = lines_ != nullptr ? lines_->line() : records_->line();
  try {
    if (lines_ != nullptr) {
      read_json(line, request);
    } else {
      read_row(request);
    }
    if (!request.has_id) request.id = fmt::format("{}", number);
    if (!request.has_context && !request.reward) {
      fail("found neither a context nor a reward: expected one of them");
    }
    if (!request.has_context && !request.has_id) {
      fail("a reward without an id: expected that of the decision that it belongs to");
    }
    if (request.action && !request.reward) {
      fail("an action that was taken, and no reward: expected both, or neither");
    }
  } catch (const Error& error) {
    fail("{} line {}: {}", input_->name(), number, error.what());
  }
  return true;
}

}  // namespace bandolier
