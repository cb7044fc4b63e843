#include "bandolier/lab/log/obd_log.h"

#include "bandolier/core/text.h"

namespace bandolier {
namespace {

constexpr std::string_view kUser = "user_feature_";
constexpr std::string_view kAffinity = "user-item_affinity_";

}  // namespace

ObdItems read_obd_items(const std::filesystem::path& path) {
  const auto file = path.parent_path() / "item_context.csv";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    fail(
        "{} has no item_context.csv beside it: expected the Open Bandit Dataset's; without it, "
        "read the log by --log-format csv --action item_id --reward click --propensity "
        "propensity_score",
        path.string());
  }
  const auto input = open_input(file);
  CsvRows rows(*input);
  const std::size_t id = rows.find("item_id");
  ObdItems items;
  while (rows.next()) {
    try {
      rows.check_width();
      const auto next = static_cast<std::int64_t>(items.names.size());
      items.names.push_back(fmt::format("{}", rows.whole(id, next, next)));
      NamedValues& values = items.values.emplace_back();
      for (std::size_t column = 0; column < rows.names().size(); ++column) {
        const std::string& name = rows.names()[column];
        if (column == id || name.empty() || rows.missing(column)) continue;
        if (parse_number(rows[column])) {
          values.number(name, rows.number(column));
        } else {
          values.word(name, rows[column]);
        }
      }
    } catch (const Error& error) {
      fail("{} line {}: {}", file.string(), rows.line(), error.what());
    }
  }
  if (items.names.empty()) fail("{} has no items: expected a row for each", file.string());
  return items;
}

ObdReader::ObdReader(std::unique_ptr<Input> input, const LogOptions& options, ObdItems items)
    : RowReader(std::move(input), options.lenient),
      rows_(RowReader::input()),
      uniform_(options.uniform()),
      items_(std::move(items)),
      time_(rows_.find("timestamp")),
      item_(rows_.find("item_id")),
      position_(rows_.find("position")),
      click_(rows_.find("click")),
      propensity_(rows_.find("propensity_score")) {
  for (std::size_t column = 0; column < rows_.names().size(); ++column) {
    if (rows_.names()[column].starts_with(kUser)) user_.push_back(column);
  }
  if (!rows_.find_if_there(fmt::format("{}0", kAffinity))) return;
  for (const std::string& item : items_.names) {
    affinity_.push_back(rows_.find(fmt::format("{}{}", kAffinity, item)));
  }
}

std::string_view ObdReader::read(LoggedEvent& event) {
  rows_.check_width();
  const auto count = items_.names.size();
  event.id.clear();
  event.time = rows_[time_];
  event.actions = static_cast<Index>(count);
  event.action = rows_.whole(item_, 0, event.actions - 1);
  event.reward = rows_.reward(click_);
  event.propensity = uniform_ ? 1 / static_cast<double>(count) : rows_.propensity(propensity_);
  event.probabilities.assign(uniform_ ? count : 0, event.propensity);
  event.position = rows_.whole(position_, 1, kMostPositions);
  event.dropped = 0;
  event.skip_learn = false;
  event.full_support = true;
  event.action_names = items_.names;
  event.columns.clear();
  event.dense = false;
  event.shared.clear();
  event.shared.word("position", rows_[position_]);
  for (const std::size_t column : user_) {
    if (rows_.missing(column)) continue;
    try {
      event.shared.word(rows_.names()[column], rows_[column]);
    } catch (const Error& error) {
      refuse_field(rows_.names()[column], "cannot be taken: {}", error.what());
    }
  }
  if (event.own.size() < count) event.own.resize(count);
  for (std::size_t a = 0; a < count; ++a) {
    event.own[a] = items_.values[a];
    if (!affinity_.empty() && !rows_.missing(affinity_[a])) {
      event.own[a].number("user-item_affinity", rows_.number(affinity_[a]));
    }
  }
  return {};
}

}  // namespace bandolier
