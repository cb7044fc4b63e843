// Half-precision storage (IEEE binary16: 11 significant bits, up to 65504, down to 6·10⁻⁸):
// arithmetic is done in float, only memory is half as large.
#pragma once

#include <bit>
#include <cstdint>

namespace bandolier {

enum class Half : std::uint16_t {};

// Exact.
constexpr float to_float(Half half) {
  const auto bits = static_cast<std::uint32_t>(half);
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) {  // infinity, NaN
    return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  }
  if (rest >= 0x0400u) return std::bit_cast<float>(sign | ((rest << 13) + (112u << 23)));
  const float magnitude = static_cast<float>(rest) * 0x1p-24f;  // subnormal
  return sign != 0 ? -magnitude : magnitude;
}

// To the nearest, ties to even; beyond 65504 (rounded) to infinity.
constexpr Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t rest = bits & 0x7fffffffu;
  const auto with_sign = [sign](std::uint32_t magnitude) {
    return static_cast<Half>(static_cast<std::uint16_t>(sign | magnitude));
  };
  if (rest > 0x7f800000u) return with_sign(0x7e00u);   // NaN
  if (rest >= 0x477ff000u) return with_sign(0x7c00u);  // 65520 and above
  if (rest >= 0x38800000u) {
    // Rebias the exponent; round half to even on the 13 bits that go.
    const std::uint32_t rebiased = rest - (112u << 23);
    return with_sign((rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13);
  }
  // Subnormal: adding 0.5 in float rounds at 2⁻²⁴, ties to even.
  const float shifted = std::bit_cast<float>(rest) + 0.5f;
  return with_sign(std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5f));
}

}  // namespace bandolier
