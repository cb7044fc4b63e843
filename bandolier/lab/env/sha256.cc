#include "bandolier/lab/env/sha256.h"

#include <openssl/evp.h>

#include <memory>
#include <vector>

#include "bandolier/core/error.h"

namespace bandolier {

std::string sha256_of(Input& input) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(),
                                                                     EVP_MD_CTX_free);
  EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr);
  std::vector<char> buffer(std::size_t{1} << 18);
  for (std::size_t count = buffer.size(); count == buffer.size();) {
    count = input.read(buffer);
    EVP_DigestUpdate(hash.get(), buffer.data(), count);
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_DigestFinal_ex(hash.get(), digest, &length);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
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
