#include "io/decompress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <apsp/error.hpp>

#include <limits>
#include <string_view>

#include "base/control.hpp"

namespace apsp::io {
namespace {

constexpr std::size_t kOutputBytes = std::size_t{1} << 20;
constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

[[noreturn]] void fail_to_unpack(const std::string& name, std::string_view archive,
                                 std::string_view what) {
  throw Error::malformed({name, 0, 0}, fmt::format("the {} archive is {}", archive, what));
}

class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream, kGzipOnly + MAX_WBITS) != Z_OK) {
      throw Error(ErrorKind::does_not_fit, "no memory to unpack gzip");
    }
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream = {};
};

bool only_zeros(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

void gunzip(std::string_view in, const std::string& name, const Control& control,
            StreamedBytes& out) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
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
      if (only_zeros(in)) return;  // tapes and block devices pad with zeros
      if (in.substr(0, kGzipMagic.size()) != kGzipMagic)
        fail_to_unpack(name, "gzip", "followed by rubbish");
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

class ZstdStream {
 public:
  ZstdStream() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw Error(ErrorKind::does_not_fit, "no memory to unpack zstd");
  }
  ~ZstdStream() { ZSTD_freeDStream(stream_); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;
  ZSTD_DStream* get() const { return stream_; }

 private:
  ZSTD_DStream* stream_;
};

void unzstd(std::string_view bytes, const std::string& name, const Control& control,
            StreamedBytes& out) {
  const ZstdStream stream;
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  while (true) {
    base::check_cancelled(control);
    const std::span<char> room = out.spare(kOutputBytes);
    ZSTD_outBuffer piece = {room.data(), room.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream.get(), &piece, &in);
    if (ZSTD_isError(status)) {
      fail_to_unpack(name, "zstd", fmt::format("corrupt ({})", ZSTD_getErrorName(status)));
    }
    out.added(piece.pos);
    if (in.pos < in.size) continue;
    if (status == 0) return;  // the end of a frame
    if (piece.pos < piece.size) fail_to_unpack(name, "zstd", "truncated");
  }
}

}  // namespace

Compression compression_of(std::span<const char> bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  if (text.substr(0, kGzipMagic.size()) == kGzipMagic) return Compression::gzip;
  if (text.substr(0, kZstdMagic.size()) == kZstdMagic) return Compression::zstd;
  return Compression::none;
}

void decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                StreamedBytes& out) {
  const std::string_view text(bytes.data(), bytes.size());
  compression_of(bytes) == Compression::gzip ? gunzip(text, name, control, out)
                                             : unzstd(text, name, control, out);
}

}  // namespace apsp::io
