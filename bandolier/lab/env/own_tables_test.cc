// Tables as people have them: ids, dates, indices, missing words, odd bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "bandolier/core/random.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/test_csv.h"
#include "testing/errors.h"

namespace bandolier::own_tables_test {
namespace {

using testing::error_of;
using Names = std::vector<std::string>;

class OwnTable : public testing::CsvTest {
 protected:
  // The names of the columns that became features.
  Names columns(const std::string& text, const std::string& options) {
    Names names;
    const auto schema = make(text, options)->trial(1, 0, 1)->schema();
    for (const FeatureColumn& column : schema->columns) names.push_back(column.name);
    return names;
  }
};

std::string churn(int rows) {
  Random random({3, Purpose::kTest, 0, 0});
  std::string text = ",customer_id,AccountKey,signup,last_seen,age,plan,churned\n";
  for (int i = 0; i < rows; ++i) {
    text +=
        fmt::format("{},{:04}-{:c}X,{},{},{},{},{},{}\n", i, (i * 7919) % 10'000,
                    static_cast<char>('A' + i % 26), 900'000 - 7 * i,
                    random.below(9) == 0 ? "NaN" : fmt::format("2023-0{}-1{}", 1 + i % 9, i % 7),
                    fmt::format("2024/01/02 0{}:{:02}", i % 10, i % 60),
                    random.below(9) == 0 ? "null" : std::to_string(random.below(80)),
                    random.below(9) == 0 ? "None" : (i % 3 == 0 ? "gold" : "free"),
                    random.below(2) == 0 ? "yes" : "no");
  }
  return text;
}

TEST_F(OwnTable, LeavesOutIdsAndReadsDates) {
  const auto environment = make(churn(2400), "label=churned");
  EXPECT_EQ(columns(churn(2400), "label=churned"), (Names{"signup", "last_seen", "age", "plan"}));
  EXPECT_EQ(environment->shape().features, 6);  // gold, free, missing
  const auto notes = to_texts(environment->notes());
  ASSERT_GE(notes.size(), 5u);
  EXPECT_EQ(notes[0],
            "column 1 left out: it has no name, as the index that pandas and R write; keep=1 keeps "
            "it, drop=1 leaves it out without this note");
  EXPECT_EQ(notes[1],
            "column 'customer_id' left out: 2,400 different words in 2,400 rows; "
            "categorical=customer_id keeps it; drop=customer_id leaves it out without this note");
  EXPECT_EQ(notes[2],
            "column 'AccountKey' left out: ids, 2,400 different whole numbers in 2,400 rows; "
            "keep=AccountKey keeps it; drop=AccountKey leaves it out without this note");
  EXPECT_EQ(notes[3], "column 'signup' read as dates: days since 1970");
}

TEST_F(OwnTable, KeepsAndDropsWhatItIsTold) {
  const auto kept =
      make(churn(100), "label=churned,categorical=customer_id+signup,keep=AccountKey");
  for (const std::string& note : to_texts(kept->notes())) {
    EXPECT_EQ(note.find("customer_id"), std::string::npos) << note;
    EXPECT_EQ(note.find("signup"), std::string::npos) << note;
  }
  EXPECT_GT(kept->shape().features, 100);
  EXPECT_EQ(columns(churn(100), "label=churned,categorical=customer_id,keep=AccountKey+1"),
            (Names{"1", "customer_id", "AccountKey", "signup", "last_seen", "age", "plan"}));
  const auto silent = make(churn(100), "label=churned,drop=1+customer_id+AccountKey");
  EXPECT_EQ(silent->notes().front().to_text(), "column 'signup' read as dates: days since 1970");
}

TEST_F(OwnTable, KeepsNumbersThatAreNoIds) {
  std::string text =
      "bid,paid,user_id,width,y\n";  // names that only look alike; ids that come twice
  for (int i = 0; i < 60; ++i) text += fmt::format("{0},{0},{1},{0}.5,{2}\n", i, i / 2, i % 2);
  EXPECT_EQ(columns(text, "label=y"), (Names{"bid", "paid", "user_id", "width"}));
}

TEST_F(OwnTable, LeavesOutIdsOfNumbersAndWords) {
  EXPECT_EQ(columns("user id,x,y\n12,1,a\nA7,2,b\n", "label=y"), Names{"x"});
}

TEST_F(OwnTable, MissingWordsAreTheUsualOnesAndThoseAdded) {
  const std::string text =
      "x,w,y\n1,a,p\n-9,b,q\nNaN,None,p\nnull,NULL,q\nN/A,n/a,p\nnan,unknown,q\n3,?,p\n";
  const auto environment = make(text, "label=y,missing=-9+unknown");
  const auto notes = to_texts(environment->notes());
  EXPECT_EQ(notes[0], "5 missing numbers replaced by their column's mean");
  EXPECT_EQ(notes[1], "5 missing words kept as a category");
  EXPECT_EQ(environment->shape().features, 4);  // x, a, b, missing
}

TEST_F(OwnTable, NamesTheWordsThatCountedAsAMissingLabel) {
  const auto environment = make("x,y\n1,gold\n2,None\n3,free\n4,None\n5,\n", "label=y");
  EXPECT_EQ(environment->notes().front().to_text(),
            "3 of 5 rows left out: no label or reward (found 'None' in 2)");
}

TEST_F(OwnTable, NumbersNamelessColumns) {
  EXPECT_EQ(columns("a,,y\n1,2,p\n3,4,q\n", "label=y"), (Names{"a", "2"}));
  EXPECT_EQ(columns(",a,y\n0,1,p\n1,4,q\n", "label=y,keep=1"), (Names{"1", "a"}));
}

TEST_F(OwnTable, CallsActionsByClassOrByRewardColumn) {
  EXPECT_EQ(make("x,y\n1,b\n2,a\n", "label=y")->action_names(), (Names{"a", "b"}));
  EXPECT_EQ(make("x,pay_b,pay_a\n1,2,3\n", "rewards=pay_")->action_names(), (Names{"b", "a"}));
  EXPECT_EQ(make("x,pay,pay_a\n1,2,3\n", "rewards=pay")->action_names(), (Names{"pay", "pay_a"}));
}

TEST_F(OwnTable, SaysHowSeveralColumnsAreTyped) {
  const std::string text = "id,date,x,a+b,y\n1,2,3,4,p\n2,3,4,5,q\n";
  EXPECT_EQ(columns(text, "label=y,drop=id+date"), (Names{"x", "a+b"}));
  EXPECT_EQ(columns(text, "label=y,drop=id+4"), (Names{"date", "x"})) << "a name with a +";
  EXPECT_EQ(refusal(text, "label=y,drop=id,date"),
            "'csv:a.csv,label=y,drop=id,date': found 'drop=id,date': expected drop=id+date; + "
            "stands between several");
  EXPECT_EQ(refusal(text, "label=y,\"drop=id,date\""),
            "environment 'csv': found drop=id,date: expected drop=id+date; + stands between "
            "several, and a column whose name holds a comma or a + goes by its number");
}

TEST_F(OwnTable, TellsWhatToTypeForAFile) {
  const std::string path = write("a.csv", "age,plan,churned\n31,gold,yes\n47,free,no\n");
  EXPECT_EQ(error_of([&] { make_environment(path); }),
            fmt::format("'{0}' is a file and no environment: expected csv:{0},label=churned; its "
                        "columns: age, plan, churned",
                        path));
  EXPECT_NE(error_of([&] { make_environment(path + ",label=churned"); }).find("expected csv:"),
            std::string::npos);
  write("a.csv", "target,x\na,1\nb,2\na,3.5\n");
  EXPECT_NE(error_of([&] { make_environment(path); }).find(",label=target; its columns: target, x"),
            std::string::npos);
  std::string wide, values;
  for (int i = 0; i < 30; ++i) {
    wide += fmt::format("{}c{}", i == 0 ? "" : ",", i);
    values += fmt::format("{}{}", i == 0 ? "" : ",", i);
  }
  write("a.csv", wide + "\n" + values + "\n");
  const std::string message = error_of([&] { make_environment(path); });
  EXPECT_NE(message.find("label=COLUMN or rewards=PREFIX; its columns: c0, c1"), std::string::npos);
  EXPECT_NE(message.find("c11 and 18 more"), std::string::npos) << message;
  EXPECT_NE(error_of([] {
              make_environment("none.csv");
            }).find("but none.csv cannot be read: No such file"),
            std::string::npos);
  EXPECT_NE(error_of([] { make_environment("weel"); }).find("did you mean 'wheel'"),
            std::string::npos);
}

TEST_F(OwnTable, NamesAreValidUtf8) {
  const auto environment = make("caf\xe9,w,y\n1,a,\xff\n2,b,\xfe\n3,a,\xff\n", "label=y");
  EXPECT_EQ(environment->action_names(), (Names{"\ufffd", "\ufffd (2)"}));
  std::string text = "caf\xe9,x,y\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("w{0},{0},{1}\n", i, i % 2);
  EXPECT_EQ(
      make(text, "label=y")->notes().front().to_text(),
      "column 'caf\ufffd' left out: 30 different words in 30 rows; categorical=caf\ufffd keeps "
      "it; drop=caf\ufffd leaves it out without this note");
}

TEST_F(OwnTable, ReadsOddTables) {
  EXPECT_EQ(columns("\xef\xbb\xbfx,y\r\n1,a\r\n2,b\r\n", "label=y"), Names{"x"}) << "BOM, CR LF";
  EXPECT_EQ(columns("x,empty,y\n1,,a\n2,NA,b\n", "label=y"), Names{"x"}) << "all missing";
  EXPECT_EQ(make("x,empty,y\n1,,a\n2,NA,b\n", "label=y")->notes().front().to_text(),
            "column 'empty' left out: it has no value in any row; drop=empty leaves it out without "
            "this note");
  EXPECT_EQ(refusal("x,y\r\n", "label=y"),
            "a.csv has no rows below its header: expected at least one");
  EXPECT_EQ(refusal("y\na\nb\n", "label=y"), "a.csv has no feature columns: expected some");
  EXPECT_EQ(refusal("x,y\n,a\n?,b\n", "label=y"),
            "a.csv has no feature columns: expected some (column 'x' left out: it has no value in "
            "any row; drop=x leaves it out without this note)");
  EXPECT_EQ(refusal("x,y\n1,\n2,\n", "label=y"),
            "a.csv has no rows below its header (2 left out for a missing value): expected at "
            "least one");
  const std::string huge(1 << 20, 'w');
  EXPECT_EQ(columns("t,x,y\n" + huge + ",1,a\nv,2,b\n", "label=y"), Names{"x"});
  EXPECT_NE(refusal("x,y\n1,a\n2,b\n", "label=" + huge).find("has no column"), std::string::npos);
}

TEST_F(OwnTable, ReadsStandardInputTwice) {
  ASSERT_NE(std::freopen(write("a.csv", "x,y\n1,a\n2,b\n3,a\n").c_str(), "r", stdin), nullptr);
  for (int i = 0; i < 2; ++i) {
    const auto environment = make_environment("csv:-,label=y");
    EXPECT_EQ(environment->default_steps(), 3);
    EXPECT_EQ(environment->action_names(), (Names{"a", "b"}));
  }
}

}  // namespace
}  // namespace bandolier::own_tables_test
