#include "io/compression.hpp"

#include <zlib.h>
#include <zstd.h>
#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "base/control.hpp"
#include "base/fail.hpp"

namespace apsp::io {
namespace {

constexpr std::size_t kOutputBytes = std::size_t{1} << 20;
constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

[[noreturn]] void fail_to_unpack(const std::string& name, std::string_view archive,
                                 std::string_view what) {
  base::fail_input(name, "the {} archive is {}", archive, what);
}

/// Counts what comes out of an archive. One that grows more than any gzip archive can (1032 times)
/// was made to fill the disk.
class Growth {
 public:
  Growth(const std::string& name, std::size_t packed, std::uint64_t free_bytes)
      : name_(name), most_(std::max<std::uint64_t>(free_bytes, kMostGrowth * packed)) {}

  void add(std::size_t bytes) {
    unpacked_ += bytes;
    if (unpacked_ <= most_) return;
    base::fail_input(name_,
                     "the archive unpacks to more than {} times its size; unpack it first, if that "
                     "is meant",
                     kMostGrowth);
  }

 private:
  static constexpr std::uint64_t kMostGrowth = 1100;
  const std::string& name_;
  std::uint64_t most_, unpacked_ = 0;
};

void gunzip(std::string_view in, const std::string& name, const Control& control,
            StreamedBytes& out) {
  constexpr int kGzipOnly = 16;
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipOnly + MAX_WBITS) != Z_OK) {
    throw Error(ErrorKind::does_not_fit, "no memory to unpack gzip");
  }
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end_of_scope(&stream, &inflateEnd);
  while (true) {
    base::check_cancelled(control);
    const std::span<char> room = out.spare(kOutputBytes);
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream.avail_in = static_cast<uInt>(std::min(in.size(), kMost));
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(std::min(room.size(), kMost));
    const uInt offered_in = stream.avail_in, offered_out = stream.avail_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    in.remove_prefix(offered_in - stream.avail_in);
    out.added(offered_out - stream.avail_out);
    if (status == Z_STREAM_END) {
      // Tapes and block devices pad with zeros.
      if (in.find_first_not_of('\0') == in.npos) return;
      if (!in.starts_with(kGzipMagic)) fail_to_unpack(name, "gzip", "followed by other bytes");
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw Error(ErrorKind::does_not_fit, "no memory to unpack gzip");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail_to_unpack(
          name, "gzip",
          stream.msg != nullptr ? fmt::format("corrupt ({})", stream.msg) : std::string("corrupt"));
    } else if (in.empty() && stream.avail_out > 0) {
      fail_to_unpack(name, "gzip", "truncated");
    }
  }
}

void unzstd(std::string_view bytes, const std::string& name, const Control& control,
            StreamedBytes& out, Growth growth) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  if (stream == nullptr) throw Error(ErrorKind::does_not_fit, "no memory to unpack zstd");
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  while (true) {
    base::check_cancelled(control);
    const std::span<char> room = out.spare(kOutputBytes);
    ZSTD_outBuffer piece = {room.data(), room.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream.get(), &piece, &in);
    if (ZSTD_isError(status)) {
      fail_to_unpack(name, "zstd", fmt::format("corrupt ({})", ZSTD_getErrorName(status)));
    }
    growth.add(piece.pos);
    out.added(piece.pos);
    if (in.pos < in.size) continue;
    if (status == 0) return;  // the end of a frame
    if (piece.pos < piece.size) fail_to_unpack(name, "zstd", "truncated");
  }
}

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

Compression compression_of(std::span<const char> bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  if (text.starts_with(kGzipMagic)) return Compression::gzip;
  if (text.starts_with(kZstdMagic)) return Compression::zstd;
  return Compression::none;
}

void decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                StreamedBytes& out, std::uint64_t free_bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  compression_of(bytes) == Compression::gzip
      ? gunzip(text, name, control, out)
      : unzstd(text, name, control, out, Growth(name, bytes.size(), free_bytes));
}

std::unique_ptr<Compressor> make_compressor(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipCompressor>();
    case Compression::zstd:
      return std::make_unique<ZstdCompressor>();
    default:
      return nullptr;
  }
}

}  // namespace apsp::io
