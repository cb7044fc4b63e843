#include "bandolier/lab/env/lzw.h"

#include <gtest/gtest.h>

#include <map>

#include "bandolier/core/random.h"
#include "testing/errors.h"

namespace bandolier::lzw_test {
namespace {

using testing::error_of;

// The packer that the format is defined by, without its rule for when to clear: it clears every
// `clear_every` codes (0: never).
std::string pack(const std::string& text, int widest, int clear_every) {
  std::string out{'\x1f', '\x9d', static_cast<char>(0x80 | widest)};
  std::vector<bool> bits;
  std::size_t start = 0;
  int width = 9;
  const auto set_width = [&](int to) {
    const std::size_t group = 8 * static_cast<std::size_t>(width);
    bits.resize(start + (bits.size() - start + group - 1) / group * group);
    start = bits.size();
    width = to;
  };
  std::map<std::string, int> table;
  int free = 257, codes = 0;
  const auto reset = [&] {
    table.clear();
    for (int c = 0; c < 256; ++c) table[std::string(1, static_cast<char>(c))] = c;
    free = 257;
  };
  const auto put = [&](int code) {
    for (int bit = 0; bit < width; ++bit) bits.push_back((code >> bit & 1) != 0);
  };
  reset();
  std::string word;
  for (const char c : text) {
    if (table.contains(word + c)) {
      word += c;
      continue;
    }
    put(table[word]);
    // Before this code's entry is added: the unpacker adds it only with the next code.
    if (free > (1 << width) - 1 && width < widest) set_width(width + 1);
    if (free < 1 << widest) table[word + c] = free++;
    if (clear_every > 0 && ++codes % clear_every == 0) {
      put(256);
      set_width(9);
      reset();
    }
    word = c;
  }
  if (!word.empty()) put(table[word]);
  while (bits.size() % 8 != 0) bits.push_back(false);
  for (std::size_t i = 0; i < bits.size(); i += 8) {
    int byte = 0;
    for (std::size_t b = 0; b < 8; ++b) byte |= (bits[i + b] ? 1 : 0) << b;
    out += static_cast<char>(byte);
  }
  return out;
}

// Lines such as a table of integers has, with much and with little repetition.
std::string sample(std::size_t size, std::uint64_t different) {
  Random random({3, Purpose::kTest, 0, 0});
  std::string text;
  while (text.size() < size) text += std::to_string(random.below(different)) + " ";
  return text;
}

TEST(UnpackLzw, ReadsFourCodesPackedByHand) {
  // "abababa": a, b, then 257 = ab, then 259 = aba, which the table does not hold yet.
  // 9-bit codes, low bits first: 0x61, 0x62, 0x101, 0x103.
  const std::string packed("\x1f\x9d\x90\x61\xc4\x04\x1c\x08", 8);
  EXPECT_EQ(unpack_lzw(packed, "a.Z", 100), "abababa");
}

TEST(UnpackLzw, GivesBackWhatWasPackedAtEveryWidthWithAndWithoutClears) {
  for (const int widest : {10, 12, 16}) {
    for (const int clear_every : {0, 100, 5000}) {
      for (const std::uint64_t different : {3u, 100'000u}) {
        const std::string text = sample(30'000, different);
        EXPECT_EQ(unpack_lzw(pack(text, widest, clear_every), "a.Z", text.size()), text)
            << "widest " << widest << ", clear every " << clear_every;
      }
    }
  }
}

TEST(UnpackLzw, RefusesOtherFilesDamageAndTooMuch) {
  EXPECT_NE(error_of([] { unpack_lzw("1,2,3", "a.Z", 100); }).find("expected the bytes 1f 9d"),
            std::string::npos);
  std::string damaged = pack("abcabcabc", 16, 0);
  damaged[4] = '\x7f';
  EXPECT_NE(error_of([&] { unpack_lzw(damaged, "a.Z", 100); }).find("a.Z is damaged"),
            std::string::npos);
  const std::string text = sample(1000, 3);
  EXPECT_NE(error_of([&] { unpack_lzw(pack(text, 16, 0), "a.Z", 999); }).find("more than 999"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::lzw_test
