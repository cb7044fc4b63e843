#include "reporting.h"

#include "bandolier/core/file.h"
#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/report/experiment_report.h"
#include "bandolier/lab/report/paper_report.h"
#include "console.h"

namespace bandolier {
namespace fs = std::filesystem;

std::vector<StoredResults> read_all_results(const fs::path& folder) {
  std::vector<StoredResults> results;
  for (const auto& place : results_folders(folder)) {
    results.push_back(read_results(place));
    for (const auto& damage : results.back().damage) print_notice(damage);
  }
  return results;
}

fs::path write_report(const fs::path& folder, const std::vector<StoredResults>& results,
                      const std::string& baseline) {
  std::vector<NamedFigure> figures;
  std::vector<Results> parts;
  for (const auto& stored : results) {
    if (is_paper_part(stored.results.settings)) parts.push_back(stored.results);
  }
  const bool single = results.size() == 1 && parts.empty();
  const std::string page = single ? experiment_page(results.front(), baseline, figures)
                                  : collection_page(results, baseline, figures);
  write_page(folder, page, figures);
  if (!parts.empty()) {
    write_file_atomically(folder / "verdicts.csv", verdicts_csv(judge_all_claims(parts)));
  }
  return folder / "report.html";
}

}  // namespace bandolier
