#include "io/decompression.hpp"

#include <zlib.h>
#include <zstd.h>
#ifdef APSP_WITH_BZIP2
#include <bzlib.h>
#endif
#ifdef APSP_WITH_XZ
#include <lzma.h>
#endif
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <limits>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "io/foreign.hpp"
#include "io/parquet_reader.hpp"

namespace apsp::io {
namespace {

struct Archive {
  Compression compression;
  std::string_view name, magic;
};
constexpr std::array kArchives = {Archive{Compression::gzip, "gzip", "\x1F\x8B"},
                                  Archive{Compression::zstd, "zstd", "\x28\xB5\x2F\xFD"},
                                  Archive{Compression::xz, "xz",
                                          std::string_view("\xFD"
                                                           "7zXZ\0",
                                                           6)},
                                  Archive{Compression::bzip2, "bzip2", "BZh"},
                                  Archive{Compression::zip, "zip", kZipMagic},
                                  Archive{Compression::parquet, "Parquet", kParquetMagic}};

const Archive& archive_of(Compression compression) {
  return *std::ranges::find(kArchives, compression, &Archive::compression);
}

[[noreturn]] void fail_to_unpack(const std::string& name, std::string_view archive,
                                 std::string_view what) {
  base::fail_input(name, "the {} archive is {}", archive, what);
}
[[noreturn]] void fail_memory(std::string_view archive) {
  base::fail(ErrorKind::does_not_fit, "no memory to unpack {}", archive);
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

/// Unpacks one kind of archive, piece by piece. Decoders throw `Error`: input (corrupt),
/// does_not_fit.
class Decoder {
 public:
  struct Step {
    std::size_t taken = 0, made = 0;  ///< bytes of the archive, and of the text
    bool ended = false;               ///< the archive's member is complete
  };
  virtual ~Decoder() = default;
  virtual Step step(std::string_view in, std::span<char> room) = 0;
  /// Before another member.
  virtual void restart() {}
};

/// Sets the four fields by which the libraries of zlib's kind are given memory, calls code(), and
/// says what it did. `Count`: the type of their sizes.
template <class Count, class Stream, class Code>
Decoder::Step step_of(Stream& stream, std::string_view in, std::span<char> room, const Code& code) {
  constexpr std::size_t kMost = std::numeric_limits<Count>::max();
  const auto offered_in = static_cast<Count>(std::min(in.size(), kMost));
  const auto offered_out = static_cast<Count>(std::min(room.size(), kMost));
  using Input = std::remove_reference_t<decltype(*stream.next_in)>;
  using Output = std::remove_reference_t<decltype(*stream.next_out)>;
  stream.next_in = reinterpret_cast<Input*>(const_cast<char*>(in.data()));
  stream.next_out = reinterpret_cast<Output*>(room.data());
  stream.avail_in = offered_in;
  stream.avail_out = offered_out;
  const bool ended = code();
  return {offered_in - stream.avail_in, offered_out - stream.avail_out, ended};
}

/// Of gzip archives, and of the raw bytes in a ZIP.
class Inflater final : public Decoder {
 public:
  static constexpr int kGzip = 16 + MAX_WBITS, kRaw = -MAX_WBITS;

  Inflater(int window_bits, std::string_view archive, const std::string& name)
      : archive_(archive), name_(name) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) fail_memory(archive_);
  }
  ~Inflater() override { inflateEnd(&stream_); }

  Step step(std::string_view in, std::span<char> room) override {
    return step_of<uInt>(stream_, in, room, [&] {
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) return true;
      if (status == Z_MEM_ERROR) fail_memory(archive_);
      if (status == Z_OK || status == Z_BUF_ERROR) return false;
      fail_to_unpack(name_, archive_,
                     stream_.msg != nullptr ? fmt::format("corrupt ({})", stream_.msg)
                                            : std::string("corrupt"));
    });
  }
  void restart() override { inflateReset(&stream_); }

 private:
  std::string_view archive_;
  const std::string& name_;
  z_stream stream_ = {};
};

class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(const std::string& name) : name_(name) {
    if (stream_ == nullptr) fail_memory("zstd");
  }

  Step step(std::string_view in, std::span<char> room) override {
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    ZSTD_outBuffer output = {room.data(), room.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input);
    if (ZSTD_isError(status)) {
      fail_to_unpack(name_, "zstd", fmt::format("corrupt ({})", ZSTD_getErrorName(status)));
    }
    // Frames follow one another, some without text: the next step begins the next one.
    return {input.pos, output.pos, status == 0 && input.pos == input.size};
  }

 private:
  const std::string& name_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_{ZSTD_createDStream(),
                                                                     &ZSTD_freeDStream};
};

#ifdef APSP_WITH_XZ
class XzDecoder final : public Decoder {
 public:
  explicit XzDecoder(const std::string& name) : name_(name) { restart(); }
  ~XzDecoder() override { lzma_end(&stream_); }

  Step step(std::string_view in, std::span<char> room) override {
    return step_of<std::size_t>(stream_, in, room, [&] {
      switch (lzma_code(&stream_, LZMA_RUN)) {
        case LZMA_STREAM_END:
          return true;
        case LZMA_OK:
        case LZMA_BUF_ERROR:
          return false;
        case LZMA_MEM_ERROR:
          fail_memory("xz");
        case LZMA_MEMLIMIT_ERROR:
          base::fail_input(name_,
                           "the xz archive needs more than {} MiB of memory: unpack it first",
                           kMostMemory >> 20);
        default:
          fail_to_unpack(name_, "xz", "corrupt");
      }
    });
  }
  void restart() override {
    if (lzma_stream_decoder(&stream_, kMostMemory, 0) != LZMA_OK) fail_memory("xz");
  }

 private:
  /// `xz -9` needs 65 MiB; zstd takes at most as much.
  static constexpr std::uint64_t kMostMemory = std::uint64_t{128} << 20;
  const std::string& name_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};
#endif

#ifdef APSP_WITH_BZIP2
class Bzip2Decoder final : public Decoder {
 public:
  explicit Bzip2Decoder(const std::string& name) : name_(name) { begin(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

  Step step(std::string_view in, std::span<char> room) override {
    return step_of<unsigned>(stream_, in, room, [&] {
      const int status = BZ2_bzDecompress(&stream_);
      if (status == BZ_MEM_ERROR) fail_memory("bzip2");
      if (status != BZ_OK && status != BZ_STREAM_END) fail_to_unpack(name_, "bzip2", "corrupt");
      return status == BZ_STREAM_END;
    });
  }
  void restart() override {
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) fail_memory("bzip2");
  }
  const std::string& name_;
  bz_stream stream_ = {};
};
#endif

/// What was packed without being compressed.
class Copier final : public Decoder {
 public:
  Step step(std::string_view in, std::span<char> room) override {
    const std::size_t count = in.copy(room.data(), room.size());
    return {count, count, count == in.size()};
  }
};

/// Checks the text against what the directory of the archive says.
class MemberDecoder final : public Decoder {
 public:
  MemberDecoder(const ZipMember& member, const std::string& name) : member_(member), name_(name) {
    if (member.encrypted) fail_to_unpack(name, "zip", "encrypted: unpack it first");
    if (member.method == ZipMethod::deflated) {
      decoder_ = std::make_unique<Inflater>(Inflater::kRaw, "zip", name);
    } else if (member.method == ZipMethod::stored) {
      decoder_ = std::make_unique<Copier>();
    } else {
      fail_to_unpack(
          name, "zip",
          fmt::format("packed by method {}: unpack it first", static_cast<int>(member.method)));
    }
  }

  Step step(std::string_view in, std::span<char> room) override {
    const Step step = decoder_->step(in, room);
    size_ += step.made;
    checksum_ = static_cast<std::uint32_t>(
        crc32_z(checksum_, reinterpret_cast<const Bytef*>(room.data()), step.made));
    if (step.ended && (size_ != member_.size || checksum_ != member_.checksum)) {
      fail_to_unpack(name_, "zip", "corrupt (its checksum does not match)");
    }
    return step;
  }
  void restart() override { fail_to_unpack(name_, "zip", "corrupt"); }

 private:
  const ZipMember& member_;
  const std::string& name_;
  std::unique_ptr<Decoder> decoder_;
  std::uint64_t size_ = 0;
  std::uint32_t checksum_ = 0;
};

void unpack(Decoder& decoder, const Archive& archive, std::string_view in, const std::string& name,
            const Control& control, StreamedBytes& out, Growth growth) {
  constexpr std::size_t kOutputBytes = std::size_t{1} << 20;
  while (true) {
    base::check_cancelled(control);
    const std::span<char> room = out.spare(kOutputBytes);
    const Decoder::Step step = decoder.step(in, room);
    in.remove_prefix(step.taken);
    growth.add(step.made);
    out.added(step.made);
    if (step.ended) {
      // Tapes and block devices pad with zeros.
      if (in.find_first_not_of('\0') == in.npos) return;
      if (!in.starts_with(archive.magic)) {
        fail_to_unpack(name, archive.name, "followed by other bytes");
      }
      decoder.restart();
    } else if (in.empty() && step.made < room.size()) {
      fail_to_unpack(name, archive.name, "truncated");
    }
  }
}

/// `name` begins the messages, and outlives the decoder.
std::unique_ptr<Decoder> make_decoder(Compression compression, const std::string& name) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<Inflater>(Inflater::kGzip, "gzip", name);
    case Compression::zstd:
      return std::make_unique<ZstdDecoder>(name);
#ifdef APSP_WITH_XZ
    case Compression::xz:
      return std::make_unique<XzDecoder>(name);
#endif
#ifdef APSP_WITH_BZIP2
    case Compression::bzip2:
      return std::make_unique<Bzip2Decoder>(name);
#endif
    default:
      base::fail_input(name,
                       "this build does not unpack {0}: unpack it first, or build with its library "
                       "(Debian: liblzma-dev for xz, libbz2-dev for bzip2)",
                       archive_of(compression).name);
  }
}

/// The one file of an archive.
ZipMember only_member(std::string_view archive, const std::string& name) {
  const std::vector<ZipMember> members = zip_members(archive, name);
  if (members.size() == 1) return members.front();
  if (members.empty()) base::fail_input(name, "the zip archive holds no file");
  for (const ZipMember& member : members) refuse_foreign_member(member.name, name);
  constexpr std::size_t kMostShown = 8;
  std::vector<std::string_view> names;
  for (const ZipMember& member : members) names.push_back(member.name);
  names.resize(std::min(names.size(), kMostShown));
  base::fail_input(
      name, "the zip archive holds {} files, and one is read: unpack it, and name one of {}{}",
      members.size(), fmt::join(names, ", "), members.size() > kMostShown ? ", …" : "");
}

}  // namespace

Compression compression_of(std::span<const char> bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  for (const Archive& archive : kArchives) {
    if (!text.starts_with(archive.magic)) continue;
    if (archive.compression == Compression::zip && first_zip_name(text).ends_with(".npy")) break;
    // Words may begin with "PAR1" and "BZh". Parquet ends so too, and behind BZh the level and the
    // first block's mark are no text.
    constexpr std::string_view kBlock = "1AY&SY", kNoBlock = "\x17rE8P\x90";
    if (archive.compression == Compression::bzip2 && text.substr(4, 6) != kBlock &&
        text.substr(4, 6) != kNoBlock) {
      break;
    }
    if (archive.compression == Compression::parquet && !text.ends_with(kParquetMagic)) break;
    return archive.compression;
  }
  return Compression::none;
}

HeldBytes unpacked_member(const ZipMember& member, const std::string& name,
                          const Control& control) {
  StreamedBytes out;
  MemberDecoder decoder(member, name);
  unpack(decoder, archive_of(Compression::zip), member.packed, name, control, out,
         Growth(name, member.packed.size(), kFreeBytes));
  return out.finish();
}

std::string decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                       StreamedBytes& out, std::uint64_t free_bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  const Archive& archive = archive_of(compression_of(bytes));
  if (archive.compression == Compression::parquet) {
    Growth growth(name, text.size(), free_bytes);
    parquet_as_csv(text, name, control, [&](std::string_view part) {
      growth.add(part.size());
      part.copy(out.spare(part.size()).data(), part.size());
      out.added(part.size());
    });
    return name;
  }
  if (archive.compression != Compression::zip) {
    const std::unique_ptr<Decoder> decoder = make_decoder(archive.compression, name);
    unpack(*decoder, archive, text, name, control, out, Growth(name, text.size(), free_bytes));
    return name;
  }
  const ZipMember member = only_member(text, name);
  MemberDecoder decoder(member, name);
  unpack(decoder, archive, member.packed, name, control, out,
         Growth(name, member.packed.size(), free_bytes));
  return name + "/" + member.name;
}

}  // namespace apsp::io
