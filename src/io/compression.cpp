#include "io/compression.hpp"

#include <zlib.h>
#include <zstd.h>
#include <array>

namespace apsp::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr int kGzipLevel = 6;  // gzip's own default
constexpr int kZstdLevel = 3;  // zstd's own default

[[noreturn]] void fail_to_pack(const char* archive) {
  throw Error(ErrorKind::does_not_fit, std::string("no memory to pack ") + archive);
}

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int kGzipHeader = 16, kMemoryLevel = 8;
    if (deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzipHeader + MAX_WBITS, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      fail_to_pack("gzip");
    }
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }

  /// Requires: piece.size() < 2^32.
  void write(std::span<const char> piece, bool last, const Sink& sink) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      sink(std::span<const char>(out_).first(out_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_ = {};
  std::array<char, kPieceBytes> out_;
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : stream_(ZSTD_createCCtx()) {
    if (stream_ == nullptr) fail_to_pack("zstd");
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdCompressor() override { ZSTD_freeCCtx(stream_); }

  void write(std::span<const char> piece, bool last, const Sink& sink) override {
    ZSTD_inBuffer in = {piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out = {out_.data(), out_.size(), 0};
      left = ZSTD_compressStream2(stream_, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) fail_to_pack("zstd");
      sink(std::span<const char>(out_).first(out.pos));
    } while (last ? left != 0 : in.pos < in.size);
  }

 private:
  ZSTD_CCtx* stream_;
  std::array<char, kPieceBytes> out_;
};

}  // namespace

std::unique_ptr<Compressor> make_compressor(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipCompressor>();
    case Compression::zstd:
      return std::make_unique<ZstdCompressor>();
    case Compression::none:
      return nullptr;
    default:
      throw Error(ErrorKind::usage, "archives of this kind are only read: write .gz or .zst");
  }
}

}  // namespace apsp::io
