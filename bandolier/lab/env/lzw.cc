#include "bandolier/lab/env/lzw.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

constexpr int kNarrowest = 9, kWidest = 16;  // of a code
constexpr std::uint32_t kClear = 256;

// Codes of a width that may change, low bits first, in groups of eight.
class CodeReader {
 public:
  explicit CodeReader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint32_t> next() {
    const auto width = static_cast<std::size_t>(width_);
    if (position_ + width > 8 * bytes_.size()) return std::nullopt;
    std::uint32_t code = 0;
    for (std::size_t bit = 0; bit < width; ++bit, ++position_) {
      const auto byte = static_cast<unsigned char>(bytes_[position_ / 8]);
      code |= static_cast<std::uint32_t>(byte >> (position_ % 8) & 1) << bit;
    }
    return code;
  }

  int width() const { return width_; }
  void set_width(int width) {
    const std::size_t group = 8 * static_cast<std::size_t>(width_);
    position_ = start_ + (position_ - start_ + group - 1) / group * group;
    start_ = position_;
    width_ = width;
  }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0, start_ = 0;  // in bits; start_: of the first group of this width
  int width_ = kNarrowest;
};

}  // namespace

std::string unpack_lzw(std::string_view packed, const std::string& name, std::size_t most) {
  const auto flags = packed.size() < 3 ? 0u : static_cast<unsigned char>(packed[2]);
  const int widest = static_cast<int>(flags & 0x1f);
  const bool clears = (flags & 0x80) != 0;
  if (!packed.starts_with("\x1f\x9d") || widest <= kNarrowest || widest > kWidest) {
    fail("{}: found a file that does not begin as .Z does: expected the bytes 1f 9d", name);
  }
  const std::uint32_t first = clears ? 257 : 256;
  const std::uint32_t full = 1u << widest;
  // Entry c ≥ first stands for entry prefix[c] followed by last[c].
  std::vector<std::uint16_t> prefix(full);
  std::vector<char> last(full);
  CodeReader codes(packed.substr(3));
  std::string out, text;
  std::uint32_t free = first, previous = 0;
  bool fresh = true;  // nothing, or nothing since a clear, came before
  for (;;) {
    if (free >= (1u << codes.width()) && codes.width() < widest) {
      codes.set_width(codes.width() + 1);
    }
    const auto code = codes.next();
    if (!code) break;
    if (clears && *code == kClear) {
      codes.set_width(kNarrowest);
      free = first;
      fresh = true;
      continue;
    }
    if (fresh ? *code > 255 : *code > free || *code >= full) {
      fail("{} is damaged: found code {} where at most {} makes sense", name, *code,
           fresh ? 255 : free);
    }
    // Last to first; a code not yet in the table is the previous text and its own first byte.
    text.clear();
    const bool unknown = !fresh && *code == free;
    std::uint32_t entry = unknown ? previous : *code;
    for (; entry > 255; entry = prefix[entry]) text += last[entry];
    const char opening = static_cast<char>(entry);
    text += opening;
    std::reverse(text.begin(), text.end());
    if (unknown) text += opening;
    if (out.size() + text.size() > most) {
      fail("{} is damaged: it unpacks to more than {} bytes", name, most);
    }
    out += text;
    if (!fresh && free < full) {
      prefix[free] = static_cast<std::uint16_t>(previous);
      last[free] = opening;
      ++free;
    }
    previous = *code;
    fresh = false;
  }
  return out;
}

}  // namespace bandolier
