#include "bandolier/lab/env/uci.h"

#include "bandolier/lab/env/data_folder.h"
#include "bandolier/lab/env/table_rows.h"

namespace bandolier {
namespace {

// A data set: its name, UCI's file in the data folder and that file's format. The label is the last
// column.
struct UciSet {
  std::string name;
  std::string file;
  TableFormat format;
};

std::unique_ptr<Environment> make(const UciSet& set, const UciOptions& options) {
  const bool paper = options.sample == UciSample::kPaper;
  const std::string paper_file = fmt::format("paper/{}.csv", set.name);
  if (!paper && find_plain_or_gzipped(data_folder(), set.file).empty() &&
      !find_plain_or_gzipped(data_folder(), paper_file).empty()) {
    fail(
        "{} is missing (plain or .gz): `bandolier data get {}` brings it; the paper's 5,000 rows "
        "are there: {}:sample=paper",
        (data_folder() / set.file).string(), set.name, set.name);
  }
  if (paper && find_plain_or_gzipped(data_folder(), paper_file).empty()) {
    fail(
        "{} is missing (plain or .gz): bench/released/rows.py brings the paper's rows from its "
        "authors' repository; or use UCI's own rows with {}:sample=uci",
        (data_folder() / paper_file).string(), set.name);
  }
  const auto input = open_input(require_data_file(set.name, paper ? paper_file : set.file));
  TableFormat format = set.format;
  if (paper) {
    format = {.separator = ',', .header = Header::kYes};
  }
  const std::string label = "label";
  format.categorical.push_back(label);
  format.required = {label};
  return make_rows_environment(make_label_rows(read_table(*input, format), label), options, options,
                               set.name);
}

}  // namespace

const OptionTable<UciOptions>& uci_options() {
  static const OptionTable<UciOptions> table = [] {
    OptionTable<UciOptions> rows = {
        {"sample", &UciOptions::sample, "UCI's own file, or the 5,000 rows of the paper's code"}};
    rows.include(rows_options()).include(standardise_options());
    return rows;
  }();
  return table;
}

std::unique_ptr<Environment> make_shuttle(const UciOptions& options) {
  TableFormat format{.separator = ' ', .header = Header::kNo};
  for (int i = 1; i <= 9; ++i) format.names.push_back(fmt::format("x{}", i));
  format.names.push_back("label");
  return make({"shuttle", "uci/shuttle.trn", format}, options);
}

std::unique_ptr<Environment> make_covertype(const UciOptions& options) {
  TableFormat format{.separator = ',', .header = Header::kNo};
  for (int i = 1; i <= 54; ++i) format.names.push_back(fmt::format("x{}", i));
  format.names.push_back("label");
  return make({"covertype", "uci/covtype.data", format}, options);
}

std::unique_ptr<Environment> make_adult(const UciOptions& options) {
  const TableFormat format{
      .separator = ',',
      .header = Header::kNo,
      .names = {"age", "workclass", "fnlwgt", "education", "education-num", "marital-status",
                "occupation", "relationship", "race", "sex", "capital-gain", "capital-loss",
                "hours-per-week", "native-country", "label"}};
  return make({"adult", "uci/adult.data", format}, options);
}

}  // namespace bandolier
