// What to type for a file that was given as an environment.
#pragma once

#include <filesystem>
#include <string>

namespace bandolier {

// In .csv, .tsv, .tab, .txt, .dat or .data, plain or .gz.
bool ends_as_tables_do(const std::string& path);

// Whether the text is a file's path rather than a name: it has a '/' or a '.' and such a file is
// there, or it ends as tables do.
bool looks_like_table(const std::string& text);

// "csv:churn.csv,label=churned; its columns: age, plan, churned": the environment for a table, with
// an obvious label where there is one: a column called label, target, class, outcome or y, or the
// last, of 2 to 20 different values in the first 1,000 rows. Where the file cannot be read as a
// table it says why. Reads the first rows alone.
std::string suggest_table(const std::filesystem::path& path);

}  // namespace bandolier
