#include "io/compression.hpp"

#include <zlib.h>
#include <zstd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#ifdef APSP_WITH_BZ2
#include <bzlib.h>
#endif
#ifdef APSP_WITH_LZMA
#include <lzma.h>
#endif

#include "base/control.hpp"
#include "base/fail.hpp"
#include "base/joined.hpp"
#include "io/formats.hpp"
#include "io/output_file.hpp"
#include "io/parquet.hpp"

namespace apsp::io {
namespace {

constexpr std::uint32_t kIn64Bits = 0xFFFFFFFF;  // the value is in the extra field
constexpr std::uint16_t kVersion = 45;           // ZIP64
constexpr std::uint16_t kWide = 1;               // the ZIP64 extra field

#pragma pack(push, 1)
struct Facts {  // common to both headers of a file
  std::uint16_t version = kVersion, flags = 0, method = 0, time = 0, date = 0x21;  // 1980-01-01
  std::uint32_t checksum = 0, packed = kIn64Bits, size = kIn64Bits;
  std::uint16_t name_bytes = 0, extra_bytes = 0;
};
struct LocalHeader {
  std::uint32_t signature = 0x04034B50;
  Facts facts;
};
struct DirectoryEntry {
  std::uint32_t signature = 0x02014B50;
  std::uint16_t made_by = kVersion;
  Facts facts;
  std::uint16_t comment_bytes = 0, disk = 0, attributes = 0;
  std::uint32_t outer_attributes = 0, header = kIn64Bits;
};
struct End64 {
  std::uint32_t signature = 0x06064B50;
  std::uint64_t bytes = 44;
  std::uint16_t made_by = kVersion, version = kVersion;
  std::uint32_t disk = 0, first_disk = 0;
  std::uint64_t count_here = 0, count = 0, directory_bytes = 0, directory = 0;
};
struct Locator {
  std::uint32_t signature = 0x07064B50, disk = 0;
  std::uint64_t end = 0;
  std::uint32_t disks = 1;
};
struct End {
  std::uint32_t signature = 0x06054B50;
  std::uint16_t disk = 0, first_disk = 0, count_here = 0, count = 0;
  std::uint32_t directory_bytes = kIn64Bits, directory = kIn64Bits;
  std::uint16_t comment_bytes = 0;
};
struct Extra {
  std::uint16_t kind = kWide, bytes = 0;
};
#pragma pack(pop)
static_assert(sizeof(LocalHeader) == 30 && sizeof(DirectoryEntry) == 46 && sizeof(End64) == 56 &&
              sizeof(Locator) == 20 && sizeof(End) == 22);

/// Reads records; throws `Error` (input) for positions outside the archive.
class ZipReader {
 public:
  ZipReader(std::string_view archive, const std::string& name) : archive_(archive), name_(name) {}

  [[noreturn]] void fail() const { base::fail_input(name_, "the zip archive is damaged"); }
  std::string_view bytes(std::uint64_t at, std::uint64_t count) const {
    if (at > archive_.size() || count > archive_.size() - at) fail();
    return archive_.substr(at, count);
  }
  template <class T>
  T value(std::uint64_t at) const {
    T value;
    std::memcpy(&value, bytes(at, sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class Record>
  Record record(std::uint64_t at) const {
    const Record record = value<Record>(at);
    if (record.signature != Record{}.signature) fail();
    return record;
  }

  std::pair<std::uint64_t, std::uint64_t> directory() const {
    const std::size_t at = archive_.rfind("PK\x05\x06");
    if (at == std::string_view::npos) fail();
    const End end = record<End>(at);
    if (at >= sizeof(Locator)) {
      const Locator locator = value<Locator>(at - sizeof(Locator));
      if (locator.signature == Locator{}.signature) {
        const End64 wide = record<End64>(locator.end);
        return {wide.directory, wide.count};
      }
    }
    return {end.directory, end.count};
  }

  ZipMember member(std::uint64_t& at) const {
    const DirectoryEntry entry = record<DirectoryEntry>(at);
    const Facts& facts = entry.facts;
    const std::uint64_t name = at + sizeof(entry),
                        end = name + facts.name_bytes + facts.extra_bytes;
    at = end + entry.comment_bytes;
    std::uint64_t extra = name + facts.name_bytes;
    const auto field = [&] { return value<Extra>(extra); };
    while (extra + sizeof(Extra) <= end && field().kind != kWide) {
      extra += sizeof(Extra) + field().bytes;
    }
    extra += sizeof(Extra);
    // The number, or the next value of the extra field.
    const auto wide = [&](std::uint32_t narrow) -> std::uint64_t {
      if (narrow != kIn64Bits) return narrow;
      extra += sizeof(std::uint64_t);
      return value<std::uint64_t>(extra - sizeof(std::uint64_t));
    };
    ZipMember member = {.name = std::string(bytes(name, facts.name_bytes)),
                        .method = static_cast<ZipMethod>(facts.method),
                        .encrypted = (facts.flags & 1) != 0,
                        .checksum = facts.checksum,
                        .size = wide(facts.size),
                        .packed = {}};
    const std::uint64_t packed = wide(facts.packed), header = wide(entry.header);
    if (member.name.ends_with('/')) return member;
    const Facts local = record<LocalHeader>(header).facts;
    member.packed =
        bytes(header + sizeof(LocalHeader) + local.name_bytes + local.extra_bytes, packed);
    return member;
  }

 private:
  std::string_view archive_;
  const std::string& name_;
};

template <class T>
std::string_view bytes_of(const T& record) {
  return {reinterpret_cast<const char*>(&record), sizeof(T)};
}

}  // namespace

std::string_view first_zip_name(std::string_view archive) {
  LocalHeader header;
  if (!archive.starts_with(kZipMagic) || archive.size() < sizeof(header)) return {};
  std::memcpy(&header, archive.data(), sizeof(header));
  return archive.substr(sizeof(header), header.facts.name_bytes);
}

std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name) {
  const ZipReader zip(archive, name);
  auto [at, count] = zip.directory();
  std::vector<ZipMember> members;
  for (; count > 0; --count) {
    ZipMember member = zip.member(at);
    // macOS adds a file of attributes for each file.
    const bool extra = member.name.ends_with('/') || member.name.starts_with("__MACOSX/");
    if (!extra) members.push_back(std::move(member));
  }
  return members;
}

void put_zip(OutputFile& out, std::span<const StoredFile> files) {
  std::string directory;
  for (const StoredFile& file : files) {
    const std::uint64_t sizes[] = {file.header.size() + file.values.size(),
                                   file.header.size() + file.values.size(), out.bytes_put()};
    Facts facts = {.name_bytes = static_cast<std::uint16_t>(file.name.size()),
                   .extra_bytes = sizeof(Extra) + 16};
    for (const std::string_view part : {std::string_view(file.header), file.values}) {
      facts.checksum = static_cast<std::uint32_t>(
          crc32_z(facts.checksum, reinterpret_cast<const Bytef*>(part.data()), part.size()));
    }
    out.put(bytes_of(LocalHeader{.facts = facts}), file.name, bytes_of(Extra{.bytes = 16}),
            bytes_of(sizes).substr(0, 16), file.header, file.values);
    facts.extra_bytes += 8;
    directory += bytes_of(DirectoryEntry{.facts = facts});
    directory += file.name;
    directory += bytes_of(Extra{.bytes = 24});
    directory += bytes_of(sizes);
  }
  const std::uint64_t begin = out.bytes_put(), count = files.size();
  const auto narrow = static_cast<std::uint16_t>(count);
  out.put(directory,
          bytes_of(End64{.count_here = count,
                         .count = count,
                         .directory_bytes = directory.size(),
                         .directory = begin}),
          bytes_of(Locator{.end = begin + directory.size()}),
          bytes_of(End{.count_here = narrow, .count = narrow}));
}

namespace {

constexpr int kGzipBits = 16 + MAX_WBITS, kRawBits = -MAX_WBITS;

enum class Status { more, ended, corrupt, no_memory, too_much_memory };
struct Step {
  Status status = Status::more;
  std::size_t taken = 0, made = 0;
};
using Decoder = std::function<Step(std::string_view in, std::span<char> room)>;

/// A decoder of a zlib-like library; the stream types share four field names. `open` returns false
/// if memory is exhausted.
template <class Stream>
Decoder stream_decoder(bool (*open)(Stream*), Status (*code)(Stream*), void (*close)(Stream*)) {
  const std::shared_ptr<Stream> stream(new Stream{}, [close](Stream* of) {
    close(of);
    delete of;
  });
  if (!open(stream.get())) throw Error(ErrorKind::does_not_fit, "no memory to unpack the archive");
  return [stream, code](std::string_view in, std::span<char> room) {
    using Count = decltype(stream->avail_in);
    constexpr std::size_t kMost = std::numeric_limits<Count>::max();
    const auto offered = static_cast<Count>(std::min(in.size(), kMost));
    const auto free = static_cast<Count>(std::min(room.size(), kMost));
    using Input = std::remove_reference_t<decltype(*stream->next_in)>;
    using Output = std::remove_reference_t<decltype(*stream->next_out)>;
    stream->next_in = reinterpret_cast<Input*>(const_cast<char*>(in.data()));
    stream->next_out = reinterpret_cast<Output*>(room.data());
    stream->avail_in = offered;
    stream->avail_out = free;
    const Status status = code(stream.get());
    return Step{status, offered - stream->avail_in, free - stream->avail_out};
  };
}

Status status_of(int status, int ended, int fine, int idle, int no_memory) {
  if (status == ended) return Status::ended;
  if (status == fine || status == idle) return Status::more;
  return status == no_memory ? Status::no_memory : Status::corrupt;
}

template <int kWindowBits>
Decoder inflater() {
  return stream_decoder<z_stream>(
      [](z_stream* of) { return inflateInit2(of, kWindowBits) == Z_OK; },
      [](z_stream* of) {
        return status_of(inflate(of, Z_NO_FLUSH), Z_STREAM_END, Z_OK, Z_BUF_ERROR, Z_MEM_ERROR);
      },
      [](z_stream* of) { inflateEnd(of); });
}

Decoder zstd_decoder() {
  const std::shared_ptr<ZSTD_DStream> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  return [stream](std::string_view in, std::span<char> room) {
    if (stream == nullptr) return Step{Status::no_memory};
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    ZSTD_outBuffer output = {room.data(), room.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left) != 0) return Step{Status::corrupt};
    // Frames follow each other, some without text: the next step begins the next one.
    const bool ended = left == 0 && input.pos == input.size;
    return Step{ended ? Status::ended : Status::more, input.pos, output.pos};
  };
}

constexpr std::uint64_t kMostXzMemory = std::uint64_t{128} << 20;
Decoder (*const kXzDecoder)() =
#ifdef APSP_WITH_LZMA
    [] {
      return stream_decoder<lzma_stream>(
          [](lzma_stream* of) { return lzma_stream_decoder(of, kMostXzMemory, 0) == LZMA_OK; },
          [](lzma_stream* of) {
            const lzma_ret status = lzma_code(of, LZMA_RUN);
            if (status == LZMA_MEMLIMIT_ERROR) return Status::too_much_memory;
            return status_of(status, LZMA_STREAM_END, LZMA_OK, LZMA_BUF_ERROR, LZMA_MEM_ERROR);
          },
          [](lzma_stream* of) { lzma_end(of); });
    };
#else
    nullptr;
#endif
Decoder (*const kBzip2Decoder)() =
#ifdef APSP_WITH_BZ2
    [] {
      return stream_decoder<bz_stream>(
          [](bz_stream* of) { return BZ2_bzDecompressInit(of, 0, 0) == BZ_OK; },
          [](bz_stream* of) {
            return status_of(BZ2_bzDecompress(of), BZ_STREAM_END, BZ_OK, BZ_OK, BZ_MEM_ERROR);
          },
          [](bz_stream* of) { BZ2_bzDecompressEnd(of); });
    };
#else
    nullptr;
#endif

Decoder copier() {
  return [](std::string_view in, std::span<char> room) {
    const std::size_t count = in.copy(room.data(), room.size());
    return Step{count == in.size() ? Status::ended : Status::more, count, count};
  };
}

struct Archive {
  Compression compression;
  std::string_view name, suffix, magic;
  Decoder (*decoder)() = nullptr;  ///< null: none, or its library is missing
};
using namespace std::string_view_literals;
const std::array kArchives = {
    Archive{Compression::gzip, "gzip", ".gz", "\x1F\x8B", inflater<kGzipBits>},
    Archive{Compression::zstd, "zstd", ".zst", "\x28\xB5\x2F\xFD", zstd_decoder},
    Archive{Compression::xz, "xz", ".xz", "\xFD\x37zXZ\0"sv, kXzDecoder},
    Archive{Compression::bzip2, "bzip2", ".bz2", "BZh", kBzip2Decoder},
    Archive{Compression::zip, "zip", ".zip", kZipMagic},
    Archive{Compression::parquet, "Parquet", {}, kParquetMagic}};

const Archive& archive_of(Compression compression) {
  return *std::ranges::find(kArchives, compression, &Archive::compression);
}

/// Unpacks the concatenated members of `in`. `member`: of a ZIP; null: not a ZIP.
void unpack(const Archive& archive, std::string_view in, const std::string& name,
            const Control& control, StreamedBytes& out, std::uint64_t free_bytes,
            const ZipMember* member = nullptr) {
  constexpr std::size_t kOutputBytes = std::size_t{1} << 20;
  // gzip expands at most 1032 times; larger ratios come from malicious archives.
  constexpr std::uint64_t kMostGrowth = 1100;
  const std::uint64_t most = std::max<std::uint64_t>(free_bytes, kMostGrowth * in.size());
  std::uint64_t size = 0;
  std::uint32_t checksum = 0;
  const auto fail = [&](std::string_view what) {
    base::fail_input(name, "the {} archive is {}", archive.name, what);
  };
  for (Decoder decode = archive.decoder();;) {
    base::check_cancelled(control);
    const std::span<char> room = out.spare(kOutputBytes);
    const Step step = decode(in, room);
    if (step.status == Status::corrupt) fail("corrupt");
    if (step.status == Status::no_memory) {
      base::fail(ErrorKind::does_not_fit, "no memory to unpack {}", archive.name);
    }
    if (step.status == Status::too_much_memory) {
      base::fail_input(name, "the {} archive needs more than {} MiB of memory: unpack it first",
                       archive.name, kMostXzMemory >> 20);
    }
    in.remove_prefix(step.taken);
    size += step.made;
    if (size > most) {
      base::fail_input(name,
                       "the archive unpacks to more than {} times its size; unpack it first, if "
                       "that is meant",
                       kMostGrowth);
    }
    if (member != nullptr) {
      checksum = static_cast<std::uint32_t>(
          crc32_z(checksum, reinterpret_cast<const Bytef*>(room.data()), step.made));
    }
    out.added(step.made);
    if (step.status == Status::ended) {
      if (member != nullptr && (size != member->size || checksum != member->checksum)) {
        fail("corrupt (its checksum does not match)");
      }
      // Tapes and block devices pad with zeros.
      if (in.find_first_not_of('\0') == in.npos) return;
      if (member != nullptr || !in.starts_with(archive.magic)) fail("followed by other bytes");
      decode = archive.decoder();
    } else if (in.empty() && step.made < room.size()) {
      fail("truncated");
    }
  }
}

void unpack_member(const ZipMember& member, const std::string& name, const Control& control,
                   StreamedBytes& out, std::uint64_t free_bytes) {
  Archive archive = archive_of(Compression::zip);
  archive.decoder = member.method == ZipMethod::stored ? copier : inflater<kRawBits>;
  if (member.encrypted) base::fail_input(name, "the zip archive is encrypted: unpack it first");
  if (member.method != ZipMethod::stored && member.method != ZipMethod::deflated) {
    base::fail_input(name, "the zip archive is packed by method {}: unpack it first",
                     static_cast<int>(member.method));
  }
  unpack(archive, member.packed, name, control, out, free_bytes, &member);
}

ZipMember only_member(std::string_view archive, const std::string& name) {
  const std::vector<ZipMember> members = zip_members(archive, name);
  if (members.size() == 1) return members.front();
  if (members.empty()) base::fail_input(name, "the zip archive holds no file");
  for (const ZipMember& member : members) refuse_foreign_member(member.name, name);
  constexpr std::size_t kMostShown = 8;
  std::vector<std::string_view> names(std::min(members.size(), kMostShown));
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = members[i].name;
  base::fail_input(
      name, "the zip archive holds {} files, and one is read: unpack it, and name one of {}{}",
      members.size(), base::joined(names, ", "), members.size() > kMostShown ? ", …" : "");
}

}  // namespace

Compression compression_of(std::span<const char> bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  const auto* const archive = std::ranges::find_if(
      kArchives, [&](const Archive& of) { return text.starts_with(of.magic); });
  if (archive == kArchives.end()) return Compression::none;
  // Words may begin with "PAR1" and "BZh". Parquet also ends so or is cut short, and in bzip2 the
  // level and the mark of the first block after BZh are not text.
  constexpr std::size_t kSample = 4096;
  const std::string_view block = text.substr(std::min<std::size_t>(4, text.size()), 6);
  const bool other =
      (archive->compression == Compression::zip && first_zip_name(text).ends_with(".npy")) ||
      (archive->compression == Compression::bzip2 && block != "1AY&SY" &&
       block != "\x17rE8P\x90") ||
      (archive->compression == Compression::parquet && !text.ends_with(kParquetMagic) &&
       text.substr(0, kSample).find('\0') == text.npos);
  return other ? Compression::none : archive->compression;
}

Compression compression_of_suffix(std::string_view name) {
  const auto* const archive = std::ranges::find_if(kArchives, [&](const Archive& of) {
    return !of.suffix.empty() && has_suffix(name, of.suffix);
  });
  return archive == kArchives.end() ? Compression::none : archive->compression;
}

std::string_view without_compression(std::string_view name) {
  const bool packed = compression_of_suffix(name) != Compression::none;
  return packed ? name.substr(0, name.rfind('.')) : name;
}

HeldBytes unpacked_member(const ZipMember& member, const std::string& name,
                          const Control& control) {
  StreamedBytes out;
  unpack_member(member, name, control, out, kFreeBytes);
  return out.finish();
}

bool unpack_exactly(Compression compression, std::string_view packed, std::span<char> out) {
  const Decoder decode = archive_of(compression).decoder();
  while (true) {
    const Step step = decode(packed, out);
    packed.remove_prefix(step.taken);
    out = out.subspan(step.made);
    if (step.status == Status::ended) return out.empty();
    if (step.status != Status::more || step.taken + step.made == 0) return false;
  }
}

std::string decompress(std::span<const char> bytes, const std::string& name, const Control& control,
                       StreamedBytes& out, std::uint64_t free_bytes) {
  const std::string_view text(bytes.data(), bytes.size());
  const Archive& archive = archive_of(compression_of(bytes));
  if (archive.compression == Compression::parquet) {
    parquet_as_csv(text, name, control, [&](std::string_view part) { out.append(part); });
    return name;
  }
  if (archive.compression == Compression::zip) {
    const ZipMember member = only_member(text, name);
    unpack_member(member, name, control, out, free_bytes);
    return name + "/" + member.name;
  }
  if (archive.decoder == nullptr) {
    base::fail_input(name,
                     "this build does not unpack {}: unpack it first, or build with its library "
                     "(Debian: liblzma-dev for xz, libbz2-dev for bzip2)",
                     archive.name);
  }
  unpack(archive, text, name, control, out, free_bytes);
  return name;
}

Compressor make_compressor(Compression compression) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
  constexpr int kGzipLevel = 6, kZstdLevel = 3;
  if (compression == Compression::none) return {};
  if (compression == Compression::gzip) {
    const std::shared_ptr<z_stream> stream(new z_stream{}, [](z_stream* of) {
      deflateEnd(of);
      delete of;
    });
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(stream.get(), kGzipLevel, Z_DEFLATED, kGzipBits, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorKind::does_not_fit, "no memory to pack gzip");
    }
    return [stream](std::span<const char> piece, bool last, const Sink& sink) {
      std::array<char, kPieceBytes> out;
      stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream->avail_in = static_cast<uInt>(piece.size());
      do {
        stream->next_out = reinterpret_cast<Bytef*>(out.data());
        stream->avail_out = static_cast<uInt>(out.size());
        deflate(stream.get(), last ? Z_FINISH : Z_NO_FLUSH);
        sink(std::span<const char>(out).first(out.size() - stream->avail_out));
      } while (stream->avail_out == 0);
    };
  }
  if (compression != Compression::zstd) {
    throw Error(ErrorKind::usage, "archives of this kind are only read: write .gz or .zst");
  }
  const std::shared_ptr<ZSTD_CCtx> stream(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (stream == nullptr) throw Error(ErrorKind::does_not_fit, "no memory to pack zstd");
  ZSTD_CCtx_setParameter(stream.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(stream.get(), ZSTD_c_checksumFlag, 1);
  return [stream](std::span<const char> piece, bool last, const Sink& sink) {
    std::array<char, kPieceBytes> out;
    ZSTD_inBuffer in = {piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer made = {out.data(), out.size(), 0};
      left = ZSTD_compressStream2(stream.get(), &made, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) throw Error(ErrorKind::does_not_fit, "no memory to pack zstd");
      sink(std::span<const char>(out).first(made.pos));
    } while (last ? left != 0 : in.pos < in.size);
  };
}

}  // namespace apsp::io
