// Unix `compress` (.Z), the packing of some old data sets.
#pragma once

#include <string>
#include <string_view>

namespace bandolier {

// 1f 9d, a byte of flags (low 5 bits: widest code, 10 to 16; 0x80: code 256 clears the table), then
// codes of 9 bits and more, low bits first, in groups of eight: a change of width, or a clear,
// starts at the next group. Throws Error, naming `name`, on anything else, and where more than
// `most` bytes would come out.
std::string unpack_lzw(std::string_view packed, const std::string& name, std::size_t most);

}  // namespace bandolier
