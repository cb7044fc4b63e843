#include "bandolier/lab/env/sha256.h"

#include <gtest/gtest.h>

namespace bandolier::sha256_test {
namespace {

std::string sum_of(std::string text) { return sha256_of(*text_input(std::move(text), "text")); }

// FIPS 180-2, appendix B: one block, two blocks, many.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sum_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Where the padding starts a block of its own, and where the last block is full; by sha256sum.
TEST(Sha256, PadsEveryLength) {
  EXPECT_EQ(sum_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum_of(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sum_of(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sum_of(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  EXPECT_EQ(
      sum_of(std::string(262'144, 'a')),
      "dd3dde87623d9a6b354c68c943d189c89c63652d945e7bbdf0986cae91a49521");  // what is read at once
}

}  // namespace
}  // namespace bandolier::sha256_test
