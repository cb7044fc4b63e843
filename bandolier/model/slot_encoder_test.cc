#include "bandolier/model/slot_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bandolier/core/random.h"
#include "testing/allocations.h"
#include "testing/errors.h"
#include "testing/option_tables.h"

namespace bandolier::slot_encoder_test {
namespace {

using testing::error_of;
using Pairs = std::map<int, float>;

Pairs encoded(const FeatureEncoder& encoder, const NamedValues& values) {
  FeatureScratch scratch;
  SparseVector out;
  encoder.encode(values, scratch, out);
  EXPECT_TRUE(std::is_sorted(out.indices.begin(), out.indices.end()));
  Pairs pairs;
  for (std::size_t i = 0; i < out.indices.size(); ++i) pairs[out.indices[i]] = out.values[i];
  EXPECT_EQ(pairs.size(), out.indices.size());
  return pairs;
}

NamedValues one_number(std::string_view name, double number) {
  NamedValues values;
  values.number(name, number);
  return values;
}

NamedValues one_word(std::string_view name, std::string_view word) {
  NamedValues values;
  values.word(name, word);
  return values;
}

// learn() of names n0 ... until all own slots are taken.
void fill(SlotEncoder& encoder) {
  for (int i = 0; encoder.names().size() < encoder.own_slots(); ++i) {
    encoder.learn(one_number(fmt::format("n{}", i), i));
  }
}

std::string saved(const FeatureEncoder& encoder) {
  ArchiveWriter out;
  encoder.save(out);
  return out.finish();
}

TEST(SlotEncoder, TheFirstNamesGetSlotsInTheOrderInWhichTheyAreLearnt) {
  SlotEncoder encoder({16});
  EXPECT_EQ(encoder.features(), 16);
  EXPECT_EQ(encoder.own_slots(), 12);
  NamedValues values;
  values.word("colour", "red");
  values.number("age", 3);
  values.numbers("x", std::vector<double>{0, -2.5});
  values.boolean("mobile", false);
  encoder.learn(values);
  std::vector<std::string> names;
  for (Index i = 0; i < encoder.names().size(); ++i) names.emplace_back(encoder.names().name(i));
  EXPECT_EQ(names, (std::vector<std::string>{"colour=red", "age", "x[0]", "x[1]", "mobile=false"}));
  // The first number is its own mean, and 0 is kept out.
  EXPECT_EQ(encoded(encoder, values), (Pairs{{0, 1.0f}, {3, -2.5f}, {4, 1.0f}}));
}

TEST(SlotEncoder, NumbersAreStandardisedAsTheyCome) {
  SlotEncoder encoder;
  encoder.learn(one_number("age", 7));
  EXPECT_EQ(encoded(encoder, one_number("age", 7)), Pairs{});
  EXPECT_EQ(encoded(encoder, one_number("age", 9)), (Pairs{{0, 1.0f}}));
  EXPECT_EQ(encoded(encoder, one_number("age", -1e30)), (Pairs{{0, -1.0f}}));
  encoder.learn(one_number("age", 7));
  EXPECT_EQ(encoded(encoder, one_number("age", 7.5)), (Pairs{{0, 1.0f}}));
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5 and deviation 2, the textbook's example.
  SlotEncoder known;
  for (const double x : {2, 4, 4, 4, 5, 5, 7, 9}) known.learn(one_number("age", x));
  EXPECT_EQ(encoded(known, one_number("age", 8)), (Pairs{{0, 1.5f}}));
  EXPECT_EQ(encoded(known, one_number("age", 4)), (Pairs{{0, -0.5f}}));
  EXPECT_EQ(encoded(known, one_number("age", 1e9)), (Pairs{{0, 10.0f}}));
  EXPECT_EQ(encoded(known, one_number("age", -1e9)), (Pairs{{0, -10.0f}}));
}

TEST(SlotEncoder, StandardisedNumbersHaveMeanZeroAndVarianceOneFarFromZeroToo) {
  SlotEncoder encoder;
  Random random({5, Purpose::kTest, 0, 0});
  std::vector<double> xs;
  for (int i = 0; i < 2000; ++i) {
    xs.push_back(1.6e9 + 1e3 * static_cast<double>(random.below(1000)));
    encoder.learn(one_number("time", xs.back()));
  }
  double sum = 0, squares = 0;
  for (const double x : xs) {
    const Pairs pairs = encoded(encoder, one_number("time", x));
    const double f = pairs.empty() ? 0 : static_cast<double>(pairs.at(0));
    sum += f;
    squares += f * f;
  }
  EXPECT_NEAR(sum / 2000, 0, 1e-6);
  EXPECT_NEAR(squares / 2000, 1, 1e-6);
}

TEST(SlotEncoder, BeforeItLearnsEverythingIsHashedWithASignIntoTheLastQuarter) {
  // hash mod 256 and the top bit, made in Python: a 91 and 1, colour=red 59 and 0, user.age 29, 1.
  const SlotEncoder encoder;
  EXPECT_EQ(encoded(encoder, one_number("a", 3)), (Pairs{{768 + 91, -0.75f}}));
  EXPECT_EQ(encoded(encoder, one_number("a", -3)), (Pairs{{768 + 91, 0.75f}}));
  EXPECT_EQ(encoded(encoder, one_word("colour", "red")), (Pairs{{768 + 59, 1.0f}}));
  NamedValues values;
  values.enter("user");
  values.number("age", 1);
  EXPECT_EQ(encoded(encoder, values), (Pairs{{768 + 29, -0.5f}}));
  EXPECT_TRUE(encoder.notes().empty());
  EXPECT_TRUE(encoder.unknown(values).empty());
}

TEST(SlotEncoder, NamesThatMeetInTheTailAreSummed) {
  // Of 16 slots 4 are the tail's: "a" and colour=red are both at 3, with signs - and +.
  const SlotEncoder encoder({16});
  NamedValues values;
  values.word("colour", "red");
  values.number("a", 3);
  EXPECT_EQ(encoded(encoder, values), (Pairs{{15, 0.25f}}));
  NamedValues opposite;
  opposite.word("colour", "red");
  opposite.number("a", 1e30);
  EXPECT_EQ(encoded(encoder, opposite), Pairs{});  // 1 - 1
}

TEST(SlotEncoder, ANameKeepsItsSlotAndTheTailKeepsTheRest) {
  SlotEncoder encoder({16});
  fill(encoder);
  EXPECT_EQ(encoder.tail_names(), 0);
  encoder.learn(one_number("a", 3));
  EXPECT_EQ(encoder.names().size(), 12);
  EXPECT_EQ(encoded(encoder, one_number("a", 3)), (Pairs{{15, -0.75f}}));
  EXPECT_EQ(encoded(encoder, one_number("n11", 12)), (Pairs{{11, 1.0f}}));
}

TEST(SlotEncoder, AnElementIsAsItIsAndANumberAndAWordOfOneNameAreTwoNames) {
  SlotEncoder encoder;
  NamedValues values;
  values.numbers("x", std::vector<double>{1e6});
  values.number("age", 1);
  encoder.learn(values);
  encoder.learn(one_word("age", "old"));
  encoder.learn(one_number("x[0]", 4));
  EXPECT_EQ(encoded(encoder, values), (Pairs{{0, 1e6f}}));
  EXPECT_EQ(encoded(encoder, one_word("age", "old")), (Pairs{{2, 1.0f}}));
  EXPECT_EQ(encoded(encoder, one_number("x[0]", 5)), (Pairs{{3, 1.0f}}));
}

TEST(SlotEncoder, CountsTheNamesOfTheTailOnceHoweverOftenTheyAreLearnt) {
  SlotEncoder encoder({1024});
  fill(encoder);
  NamedValues values;
  for (int i = 0; i < 100; ++i) values.number(fmt::format("tail{}", i), 1);
  for (int round = 0; round < 5; ++round) encoder.learn(values);
  std::map<std::uint64_t, int> slots;
  for (int i = 0; i < 100; ++i) ++slots[hash_name(fmt::format("tail{}", i)) % 256];
  EXPECT_LE(encoder.tail_names(), 100);
  EXPECT_GE(encoder.tail_names(), 98);
  EXPECT_LE(encoder.shared_names(), 100 - static_cast<Index>(slots.size()));
  EXPECT_GE(encoder.shared_names(), 98 - static_cast<Index>(slots.size()));
  const auto notes = encoder.notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].to_text(),
            fmt::format("{} names or more have no slot of their own: 768 are taken; raise "
                        "slots=1024",
                        encoder.tail_names()));
  EXPECT_EQ(notes[1].to_text(), fmt::format("{} names or more share a hashed slot with another",
                                            encoder.shared_names()));
}

TEST(SlotEncoder, MemoryStopsGrowingWhenTheSlotsAreTaken) {
  SlotEncoder encoder({64});
  fill(encoder);
  const std::size_t bytes = encoder.bytes();
  for (int i = 0; i < 5000; ++i) encoder.learn(one_word("id", fmt::format("{}", i)));
  EXPECT_EQ(encoder.bytes(), bytes);
}

TEST(SlotEncoder, GoesOnAfterSavingAsIfNothingHadHappened) {
  SlotEncoder encoder({32});
  const auto learn = [&](FeatureEncoder& to, std::uint64_t i) {
    NamedValues values;
    values.number(fmt::format("n{}", i % 20), static_cast<double>(i * i % 17));
    values.word("w", fmt::format("{}", i % 30));
    to.learn(values);
    return encoded(to, values);
  };
  for (std::uint64_t i = 0; i < 100; ++i) learn(encoder, i);
  const std::string bytes = saved(encoder);
  const auto loaded = load_feature_encoder(ArchiveReader(bytes, "m.bndl"));
  EXPECT_EQ(saved(*loaded), bytes);
  const auto clone = encoder.clone();
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Pairs expected = learn(encoder, 7 * i);
    EXPECT_EQ(learn(*loaded, 7 * i), expected);
    EXPECT_EQ(learn(*clone, 7 * i), expected);
  }
  EXPECT_EQ(loaded->notes(), encoder.notes());
  EXPECT_EQ(saved(*loaded), saved(encoder));
}

TEST(SlotEncoder, RefusesASavedStateThatNoValuesHaveMade) {
  struct State {
    std::string kind = "slots";
    std::int64_t slots = 16;
    std::vector<std::string> names = {"a", "b=c"};
    std::vector<std::int64_t> kinds = {0, 1}, counts = {1, 0};
    std::vector<double> means = {1, 0}, squares = {0, 0};
    std::vector<std::int64_t> tail = {0, 0, 0, -1};
  };
  const auto error = [](auto change) {
    State state;
    change(state);
    ArchiveWriter out;
    out.write("kind", state.kind);
    out.write("slots", state.slots);
    out.write("names", state.names);
    out.write("kinds", state.kinds);
    out.write("counts", state.counts);
    out.write("means", state.means);
    out.write("squares", state.squares);
    out.write("tail", state.tail);
    return error_of([&] { load_feature_encoder(ArchiveReader(out.finish(), "m.bndl")); });
  };
  EXPECT_EQ(error([](State&) {}), "");
  EXPECT_EQ(error([](State& s) { s.kind = "slot"; }),
            "m.bndl: kind is 'slot': expected slots or schema");
  for (const std::int64_t slots : {std::int64_t{-1}, std::int64_t{15}, std::int64_t{1} << 60}) {
    EXPECT_EQ(error([&](State& s) { s.slots = slots; }),
              fmt::format("m.bndl: slots is {}: expected 16 to 1048576", slots));
  }
  EXPECT_EQ(error([](State& s) { s.slots = 20; }), "m.bndl: tail has 4 values, expected 5");
  EXPECT_EQ(error([](State& s) { s.names.resize(13); }),
            "m.bndl: names has 13 names: expected at most 12, three quarters of the slots");
  EXPECT_EQ(error([](State& s) { s.names[1].assign(1026, 'x'); }),
            "m.bndl: names has 1026 bytes in name 1: expected at most 1025");
  EXPECT_EQ(error([](State& s) {
              s.names[1] = "a";
              s.kinds[1] = 0;
              s.counts[1] = 1;
            }),
            "m.bndl: names has 'a' twice: expected each name once");
  EXPECT_EQ(error([](State& s) { s.kinds.pop_back(); }), "m.bndl: kinds has 1 values, expected 2");
  EXPECT_EQ(error([](State& s) { s.kinds[0] = 3; }), "m.bndl: kinds holds 3: expected 0 to 2");
  EXPECT_EQ(error([](State& s) { s.kinds[0] = -256; }),
            "m.bndl: kinds holds -256: expected 0 to 2");
  EXPECT_EQ(error([](State& s) { s.counts[0] = 0; }),
            "m.bndl: counts has 0 at 0: expected 1 or more for a number");
  EXPECT_EQ(error([](State& s) { s.counts[1] = 1; }),
            "m.bndl: counts has 1 at 1: expected 0 for what is no number");
  EXPECT_EQ(
      error([](State& s) { s.means[0] = 1e39; }),
      "m.bndl: means holds 1e+39: expected -3.4028234663852886e+38 to 3.4028234663852886e+38");
  EXPECT_EQ(error([](State& s) { s.squares[0] = -1; }),
            "m.bndl: squares holds -1: expected 0 to 1e+95");
}

TEST(SlotEncoder, TakesSixteenSlotsToAMillion) {
  EXPECT_EQ(error_of([] { SlotEncoder({15}); }), "slots=15: expected 16 to 1048576");
  EXPECT_EQ(error_of([] { SlotEncoder({1048577}); }), "slots=1048577: expected 16 to 1048576");
  EXPECT_EQ(SlotEncoder().features(), 1024);
  EXPECT_EQ(slot_encoder_options().parse("slots", {{"slots", "32"}}).slots, 32);
}

TEST(SlotEncoder, EncodingAndLearningKnownNamesAllocateNothingOnceWarm) {
  SlotEncoder encoder({16});
  NamedValues values;
  for (int i = 0; i < 40; ++i) values.number(fmt::format("name-number-{}", i), i);
  FeatureScratch scratch;
  SparseVector out;
  encoder.learn(values);
  encoder.encode(values, scratch, out);
  const std::int64_t before = testing::allocations();
  for (int i = 0; i < 100; ++i) {
    encoder.learn(values);
    encoder.encode(values, scratch, out);
  }
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace bandolier::slot_encoder_test
