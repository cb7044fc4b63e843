// Records on their way between processes.
#include "bandolier/lab/experiment/record_bytes.h"

#include <gtest/gtest.h>

#include "bandolier/lab/experiment/result_columns.h"
#include "bandolier/lab/experiment/test_store.h"
#include "testing/errors.h"

namespace bandolier::record_bytes_test {
namespace {

Results experiment() { return {testing::settings(), testing::facts(), {}}; }

TEST(RecordBytes, GiveTheSameLinesOfAllFiles) {
  for (TrialRecord record : {testing::record(0, 0), testing::record(1, 1)}) {
    record.result.report.signals["lost"] = std::numeric_limits<double>::infinity();
    record.result.step_us_p99 = std::numeric_limits<double>::quiet_NaN();
    const TrialRecord back = record_from_bytes(to_bytes(record));
    EXPECT_EQ(back.position(), record.position());
    EXPECT_EQ(trial_line(back, experiment()), trial_line(record, experiment()));
    EXPECT_TRUE(curve_lines(back, experiment()) == curve_lines(record, experiment()));
    EXPECT_EQ(timing_line(back, experiment()), timing_line(record, experiment()));
    EXPECT_EQ(back.result.report.steps, record.result.report.steps);
  }
}

TEST(RecordBytes, KeepWhyATrialFailed) {
  TrialRecord record{0, 1, 1, "out of memory", {}};
  EXPECT_EQ(record_from_bytes(to_bytes(record)).error, "out of memory");
}

TEST(RecordBytes, ThatAreCutOrOfAnotherKindAreAnError) {
  const std::string bytes = to_bytes(testing::record(0, 0));
  EXPECT_NE(testing::error_of([&] { record_from_bytes(bytes.substr(0, bytes.size() / 2)); }), "");
  EXPECT_NE(testing::error_of([&] { record_from_bytes("no record"); }), "");
}

}  // namespace
}  // namespace bandolier::record_bytes_test
