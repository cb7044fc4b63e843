#include "bandolier/lab/env/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// FIPS 180-4, section 4.2.2.
constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::size_t kBlock = 64;  // bytes

using Digest = std::array<std::uint32_t, 8>;

// One block into the digest: section 6.2.2.
void add_block(Digest& digest, const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[i - 7] +
           (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & f) ^ (~e & g)) + kRoundConstants[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const Digest after = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) digest[i] += after[i];
}

// The last bytes, less than a block, then a one bit, zeros and the length in bits: section 5.1.1.
void add_end(Digest& digest, std::span<const char> rest, std::uint64_t bytes) {
  std::array<unsigned char, 2 * kBlock> end{};
  std::copy(rest.begin(), rest.end(), end.begin());
  end[rest.size()] = 0x80;
  const std::size_t size = rest.size() + 9 <= kBlock ? kBlock : 2 * kBlock;
  for (std::size_t i = 0; i < 8; ++i) {
    end[size - 1 - i] = static_cast<unsigned char>(bytes * 8 >> 8 * i);
  }
  for (std::size_t at = 0; at < size; at += kBlock) add_block(digest, end.data() + at);
}

}  // namespace

std::string sha256_of(Input& input) {
  Digest digest = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::vector<char> buffer(4096 * kBlock);
  std::uint64_t bytes = 0;
  for (std::size_t count = buffer.size(); count == buffer.size();) {
    count = input.read(buffer);  // all that fits, but at the end
    bytes += count;
    const std::size_t whole = count / kBlock * kBlock;
    for (std::size_t at = 0; at < whole; at += kBlock) {
      add_block(digest, reinterpret_cast<const unsigned char*>(buffer.data()) + at);
    }
    if (count < buffer.size()) {
      add_end(digest, std::span(buffer).subspan(whole, count - whole), bytes);
    }
  }
  std::string hex;
  for (const std::uint32_t word : digest) hex += fmt::format("{:08x}", word);
  return hex;
}

void check_sha256(Input& input, const std::string& expected) {
  const std::string found = sha256_of(input);
  if (found != expected) {
    fail("{} has the SHA-256 {}: expected {}; it is damaged or another edition", input.name(),
         found, expected);
  }
}

void check_sha256(const std::filesystem::path& path, const std::string& expected) {
  check_sha256(*open_input(path), expected);
}

}  // namespace bandolier
