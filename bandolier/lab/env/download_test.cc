#include "bandolier/lab/env/download.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "bandolier/core/file.h"
#include "bandolier/lab/env/fetch.h"
#include "bandolier/lab/env/sha256.h"
#include "bandolier/lab/env/test_data.h"
#include "bandolier/lab/env/test_http_server.h"
#include "testing/errors.h"

namespace bandolier::download_test {
namespace {

using testing::error_of;
using testing::HttpServer;
using testing::ScopedVariable;
using Requests = std::vector<std::string>;

// "0,1,2,...", 200,000 bytes; its sum by sha256sum.
std::string counting() {
  std::string text;
  for (int i = 0; text.size() < 200'000; ++i) text += std::to_string(i) + ",";
  return text.substr(0, 200'000);
}
const std::string kCountingSum = "79fde8d0f452b9f2824f76a7e1db794e5634b242088cd3bb6767be768707cfa9";

class DownloadTest : public ::testing::Test {
 protected:
  static DownloadOptions quick() {
    DownloadOptions options;
    options.attempts = 3;
    options.first_wait = std::chrono::milliseconds(1);
    return options;
  }
  std::filesystem::path target() const { return folder_ / "a.csv"; }
  Requests left() const { return folder_.names(); }

  // No proxy stands between a test and its own server.
  ScopedVariable no_proxy_{"no_proxy", "127.0.0.1"}, no_mirror_{"BANDOLIER_MIRROR", std::nullopt};
  testing::TemporaryFolder folder_;
  std::string body_ = counting();
};

TEST_F(DownloadTest, BringsTheFileUnderItsNameAndNothingElse) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  std::int64_t last = 0, total = 0;
  auto options = quick();
  options.progress = [&](std::int64_t done, std::int64_t all) {
    last = done, total = all;
    return true;
  };
  download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, options);
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(left(), Requests{"a.csv"});
  EXPECT_EQ(last, 200'000);
  EXPECT_EQ(total, 200'000);
}

TEST_F(DownloadTest, CarriesOnByItselfWhereTheConnectionWasCut) {
  HttpServer server({{"/a.csv", {.body = body_, .cuts = 2, .cut_at = 70'000}}});
  download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, quick());
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(server.requests(),
            (Requests{"GET /a.csv", "GET /a.csv from 70000", "GET /a.csv from 140000"}));
}

TEST_F(DownloadTest, KeepsThePartAfterTheLastAttemptAndTheNextDownloadCarriesOn) {
  HttpServer server({{"/a.csv", {.body = body_, .cuts = 1, .cut_at = 70'000}}});
  auto once = quick();
  once.attempts = 1;
  const Download what{server.url("/a.csv"), target(), Packing::kNone, kCountingSum};
  EXPECT_NE(error_of([&] { download(what, once); }).find("failed after 70000 bytes and 1 attempts"),
            std::string::npos);
  EXPECT_EQ(left(), Requests{"a.csv.part"});
  download(what, once);
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(left(), Requests{"a.csv"});
  EXPECT_EQ(server.requests().back(), "GET /a.csv from 70000");
}

TEST_F(DownloadTest, StartsAgainWhereTheServerKnowsNoRanges) {
  HttpServer server({{"/a.csv", {.body = body_, .ranges = false, .cuts = 1, .cut_at = 70'000}}});
  download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, quick());
  EXPECT_EQ(read_file(target()), body_);
}

TEST_F(DownloadTest, StartsAgainWhereThePartIsLongerThanTheFile) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  testing::write_file(folder_, "a.csv.part", body_ + "more");
  download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, quick());
  EXPECT_EQ(read_file(target()), body_);
}

TEST_F(DownloadTest, StartsAgainWhereThePartIsOfAnotherEdition) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  testing::write_file(folder_, "a.csv.part", std::string(1000, 'x'));
  download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, quick());
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(server.requests(), (Requests{"GET /a.csv from 1000", "GET /a.csv"}));
}

TEST_F(DownloadTest, UnpacksWhatIsStoredUnpacked) {
  const std::string packed("\x1f\x9d\x90\x61\xc4\x04\x1c\x08", 8);  // "abababa"
  HttpServer server({{"/a.Z", {.body = packed}}});
  download({server.url("/a.Z"), target(), Packing::kCompress,
            "a451acbff9778e785adfe97e64666939448053139e5526f5f799ab38a9c219b3"},
           quick());
  EXPECT_EQ(read_file(target()), "abababa");
}

TEST_F(DownloadTest, DoesNotCarryOnWhatCannotBeChecked) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  testing::write_file(folder_, "a.csv.part", "of another edition");
  download({server.url("/a.csv"), target(), Packing::kNone, ""}, quick());
  EXPECT_EQ(read_file(target()), body_);
  EXPECT_EQ(server.requests(), Requests{"GET /a.csv"});
}

TEST_F(DownloadTest, RefusesAWrongChecksumAndLeavesNothing) {
  HttpServer server({{"/a.csv", {.body = body_ + "x"}}});
  const auto message = error_of([&] {
    download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, quick());
  });
  EXPECT_NE(message.find("expected " + kCountingSum), std::string::npos) << message;
  EXPECT_NE(message.find("was removed"), std::string::npos) << message;
  EXPECT_EQ(left(), Requests{});
}

TEST_F(DownloadTest, SaysThatThereIsNoSuchFileAndLeavesNothing) {
  HttpServer server({});
  const Download what{server.url("/a.csv"), target(), Packing::kNone, ""};
  EXPECT_THROW(download(what, quick()), NotFound);
  EXPECT_NE(error_of([&] { download(what, quick()); }).find("has no such file (404)"),
            std::string::npos);
  EXPECT_EQ(server.requests().size(), 2u) << "a 404 is final: one request per download";
  EXPECT_EQ(left(), Requests{});
}

TEST_F(DownloadTest, TriesAgainWhereTheServerIsBusy) {
  HttpServer server({{"/a.csv", {.body = body_, .status = 503}}});
  EXPECT_NE(error_of([&] {
              download({server.url("/a.csv"), target(), Packing::kNone, ""}, quick());
            }).find("503"),
            std::string::npos);
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_EQ(left(), Requests{});
}

TEST_F(DownloadTest, SaysThatTheDiskTakesNoMoreAndLeavesNothing) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto message = error_of([&] {
    download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, quick());
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("a.csv.part cannot be written"), std::string::npos) << message;
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(left(), Requests{});
}

TEST_F(DownloadTest, SaysThatTheFolderCannotBeMade) {
  testing::write_file(folder_, "file", "");
  const auto message = error_of([&] {
    download({"http://127.0.0.1:1/a.csv", folder_ / "file/a.csv", Packing::kNone, ""}, quick());
  });
  EXPECT_NE(message.find("file"), std::string::npos) << message;
}

TEST_F(DownloadTest, StopsWhereProgressSaysSo) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  auto options = quick();
  options.progress = [](std::int64_t, std::int64_t) { return false; };
  EXPECT_NE(error_of([&] {
              download({server.url("/a.csv"), target(), Packing::kNone, kCountingSum}, options);
            }).find("was stopped"),
            std::string::npos);
}

TEST_F(DownloadTest, ChecksTheSumOfWhatIsInAGzipFile) {
  HttpServer server({{"/a.csv.gz", {.body = testing::gzip(body_)}}});
  const auto gzipped = folder_ / "a.csv.gz";
  download({server.url("/a.csv.gz"), gzipped, Packing::kGzip, kCountingSum}, quick());
  EXPECT_NO_THROW(check_sha256(gzipped, kCountingSum));
}

TEST_F(DownloadTest, RefusesAPageOfApologyInsteadOfAGzipFile) {
  HttpServer server({{"/a.csv.gz", {.body = "<html>sign in first</html>"}}});
  const auto message = error_of([&] {
    download({server.url("/a.csv.gz"), folder_ / "a.csv.gz", Packing::kGzip, ""}, quick());
  });
  EXPECT_NE(message.find("expected"), std::string::npos) << message;
  EXPECT_EQ(left(), Requests{});
}

TEST_F(DownloadTest, RefusesASecondDownloadOfTheSameFileAtTheSameTime) {
  HttpServer server({{"/a.csv", {.body = body_}}});
  const Download what{server.url("/a.csv"), target(), Packing::kNone, kCountingSum};
  std::string second;
  auto options = quick();
  options.progress = [&](std::int64_t, std::int64_t) {
    if (second.empty()) second = error_of([&] { download(what, quick()); });
    return true;
  };
  download(what, options);
  EXPECT_NE(second.find("another download"), std::string::npos) << second;
}

class FetchTest : public DownloadTest {
 protected:
  ScopedVariable data_{"BANDOLIER_DATA", folder_.path().string()};
  DataSet set_{"counting", "", "", "", "", {{"x/a.csv", "", Packing::kNone, 0, kCountingSum}}};
};

TEST_F(FetchTest, TakesAPlainFileFromTheMirror) {
  HttpServer server({{"/copy/x/a.csv", {.body = body_}}});
  const ScopedVariable mirror("BANDOLIER_MIRROR", server.url("/copy"));
  EXPECT_EQ(fetch(set_, 0, quick()), folder_ / "x/a.csv");
  EXPECT_EQ(set_.find(0), folder_ / "x/a.csv");
}

TEST_F(FetchTest, TakesAGzippedFileFromTheMirrorWhereThereIsNoPlainOne) {
  HttpServer server({{"/copy/x/a.csv.gz", {.body = testing::gzip(body_)}}});
  const ScopedVariable mirror("BANDOLIER_MIRROR", server.url("/copy/"));
  EXPECT_EQ(fetch(set_, 0, quick()), folder_ / "x/a.csv.gz");
  EXPECT_EQ(set_.find(0), folder_ / "x/a.csv.gz");
}

TEST_F(FetchTest, SaysHowToGetWhatHasNoSource) {
  const auto message = error_of([] { fetch(find_data_set("fashion-mnist"), 0); });
  EXPECT_NE(message.find("dataset-fashion-mnist"), std::string::npos) << message;
}

}  // namespace
}  // namespace bandolier::download_test
