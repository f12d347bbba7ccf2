// SPDX-License-Identifier: MIT
#include "verify/checksum.h"

#include <isa-l/crc.h>
#include <isa-l/crc64.h>
#include <openssl/evp.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace zonal::verify {
namespace {

using Bytes = std::span<const std::byte>;

// isa-l takes non-const pointers and, for crc32c, an int.
std::uint32_t UpdateCrc32c(std::uint32_t crc, Bytes data) noexcept {
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  while (!data.empty()) {
    const std::size_t bytes = std::min(data.size(), kPiece);
    auto* at = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(data.data()));
    crc = crc32_iscsi(at, static_cast<int>(bytes), crc);
    data = data.subspan(bytes);
  }
  return crc;
}

const unsigned char* Raw(Bytes data) noexcept {
  return reinterpret_cast<const unsigned char*>(data.data());
}

template <typename T>
Digest OfInteger(T value) noexcept {
  Digest digest;
  digest.size = sizeof value;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    digest.bytes[i] = static_cast<std::byte>(value >> (8 * i));
  }
  return digest;
}

const char* OpensslName(Checksum checksum) noexcept {
  switch (checksum) {
    case Checksum::kMd5:
      return "MD5";
    case Checksum::kSha1:
      return "SHA1";
    case Checksum::kSha256:
      return "SHA256";
    case Checksum::kSha512:
      return "SHA512";
    default:
      return nullptr;
  }
}

}  // namespace

struct Checksummer::Hash {
  struct Free {
    void operator()(EVP_MD* md) const noexcept { EVP_MD_free(md); }
    void operator()(EVP_MD_CTX* c) const noexcept { EVP_MD_CTX_free(c); }
    void operator()(XXH64_state_t* state) const noexcept { XXH64_freeState(state); }
  };
  std::unique_ptr<EVP_MD, Free> algorithm;
  std::unique_ptr<EVP_MD_CTX, Free> context;
  std::unique_ptr<XXH64_state_t, Free> xxh64;

  std::uint64_t Xxh64(Bytes first, Bytes second) const noexcept {
    if (second.empty()) return XXH64(first.data(), first.size(), 0);
    if (first.empty()) return XXH64(second.data(), second.size(), 0);
    XXH64_reset(xxh64.get(), 0);
    XXH64_update(xxh64.get(), first.data(), first.size());
    XXH64_update(xxh64.get(), second.data(), second.size());
    return XXH64_digest(xxh64.get());
  }
  Digest Of(Bytes first, Bytes second) const noexcept {
    Digest digest;
    unsigned int size = 0;
    EVP_DigestInit_ex2(context.get(), algorithm.get(), nullptr);
    EVP_DigestUpdate(context.get(), first.data(), first.size());
    EVP_DigestUpdate(context.get(), second.data(), second.size());
    EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(digest.bytes.data()), &size);
    digest.size = size;
    return digest;
  }
};

std::string_view ToString(Checksum checksum) noexcept {
  switch (checksum) {
    case Checksum::kNone:
      return "none";
    case Checksum::kPattern:
      return "pattern";
    case Checksum::kHeaderOnly:
      return "meta";
    case Checksum::kCrc32c:
      return "crc32c";
    case Checksum::kCrc32:
      return "crc32";
    case Checksum::kCrc64:
      return "crc64";
    case Checksum::kXxhash:
      return "xxhash";
    case Checksum::kMd5:
      return "md5";
    case Checksum::kSha1:
      return "sha1";
    case Checksum::kSha256:
      return "sha256";
    case Checksum::kSha512:
      return "sha512";
  }
  return "unknown";
}

std::size_t DigestBytes(Checksum checksum) noexcept {
  switch (checksum) {
    case Checksum::kNone:
    case Checksum::kPattern:
    case Checksum::kHeaderOnly:
      return 0;
    case Checksum::kCrc32c:
    case Checksum::kCrc32:
      return 4;
    case Checksum::kCrc64:
    case Checksum::kXxhash:
      return 8;
    case Checksum::kMd5:
      return 16;
    case Checksum::kSha1:
      return 20;
    case Checksum::kSha256:
      return 32;
    case Checksum::kSha512:
      return 64;
  }
  return 0;
}

std::uint32_t Crc32c(std::span<const std::byte> data) noexcept { return ~UpdateCrc32c(~0u, data); }

absl::StatusOr<Checksummer> Checksummer::Create(Checksum checksum) {
  auto hash = std::make_unique<Hash>();
  const char* name = OpensslName(checksum);
  if (checksum == Checksum::kXxhash) {
    hash->xxh64.reset(XXH64_createState());
    if (!hash->xxh64) return absl::ResourceExhaustedError("no memory for the state of XXH64");
  }
  if (name == nullptr) return Checksummer(checksum, std::move(hash));
  hash->algorithm.reset(EVP_MD_fetch(nullptr, name, nullptr));
  hash->context.reset(EVP_MD_CTX_new());
  if (!hash->algorithm || !hash->context ||
      EVP_DigestInit_ex2(hash->context.get(), hash->algorithm.get(), nullptr) != 1) {
    return absl::UnavailableError(std::string("verify=") + std::string(ToString(checksum)) +
                                  ": OpenSSL does not offer it here; choose another checksum");
  }
  return Checksummer(checksum, std::move(hash));
}

Checksummer::Checksummer(Checksum checksum, std::unique_ptr<Hash> hash) noexcept
    : checksum_(checksum), hash_(std::move(hash)) {}
Checksummer::Checksummer(Checksummer&&) noexcept = default;
Checksummer& Checksummer::operator=(Checksummer&&) noexcept = default;
Checksummer::~Checksummer() = default;

Digest Checksummer::Of(std::span<const std::byte> first,
                       std::span<const std::byte> second) const noexcept {
  switch (checksum_) {
    case Checksum::kNone:
    case Checksum::kPattern:
    case Checksum::kHeaderOnly:
      return {};
    case Checksum::kCrc32c:
      return OfInteger(~UpdateCrc32c(UpdateCrc32c(~0u, first), second));
    case Checksum::kCrc32:
      return OfInteger(crc32_gzip_refl(crc32_gzip_refl(0, Raw(first), first.size()), Raw(second),
                                       second.size()));
    case Checksum::kCrc64:
      return OfInteger(crc64_ecma_refl(crc64_ecma_refl(0, Raw(first), first.size()), Raw(second),
                                       second.size()));
    case Checksum::kXxhash:
      return OfInteger(hash_->Xxh64(first, second));
    case Checksum::kMd5:
    case Checksum::kSha1:
    case Checksum::kSha256:
    case Checksum::kSha512:
      return hash_->Of(first, second);
  }
  return {};
}

}  // namespace zonal::verify
