#include "rates/measure_rates.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/control.hpp"
#include "base/random.hpp"
#include "store/file_system.hpp"
#include "system/aligned_memory.hpp"
#include "system/open_file.hpp"
#include "system/threads.hpp"

namespace apsp::rates {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
/// Pieces of 4, 8, … 128 MiB: 252 in total.
constexpr std::int64_t kFirstPiece = 4 * kMiB, kLastPiece = 128 * kMiB;
/// At most 1/4 of the free space.
constexpr std::int64_t kPartOfDisk = 4;
/// Fractions of the time; the remainder is for page faults.
constexpr double kForWriting = 0.5, kForReading = 0.15;

class Nameless {
 public:
  explicit Nameless(const std::string& folder) : file_(system::open_nameless(folder)) {}

  bool open() const { return file_.is_open(); }
  bool write(std::int64_t offset, const std::byte* from, std::int64_t bytes) const {
    return whole(bytes, [&](std::int64_t done) {
      return pwrite(file_.number(), from + done, static_cast<std::size_t>(bytes - done),
                    offset + done);
    });
  }
  bool read(std::int64_t offset, std::byte* into, std::int64_t bytes) const {
    return whole(bytes, [&](std::int64_t done) {
      return pread(file_.number(), into + done, static_cast<std::size_t>(bytes - done),
                   offset + done);
    });
  }
  bool sync() const { return fsync(file_.number()) == 0; }
  /// Drops the file from the system's cache, if possible.
  void forget() const {
#ifdef POSIX_FADV_DONTNEED
    posix_fadvise(file_.number(), 0, 0, POSIX_FADV_DONTNEED);
#endif
  }

 private:
  template <class F>
  static bool whole(std::int64_t bytes, const F& part) {
    for (std::int64_t done = 0; done < bytes;) {
      const auto moved = part(done);
      if (moved <= 0) return false;
      done += moved;
    }
    return true;
  }

  system::Descriptor file_;
};

/// Bytes per second, the best of some repetitions. `from` and `into` have been touched.
double copying(const system::AlignedMemory& from, system::AlignedMemory& into, int threads) {
  constexpr int kRepeated = 3;
  const std::int64_t pieces = from.bytes() / kMiB;
  const double seconds = shortest(kRepeated, [&] {
    system::parallel_for(pieces, threads, [&](std::int64_t piece) {
      std::memcpy(into.data() + piece * kMiB, from.data() + piece * kMiB, kMiB);
    });
  });
  return static_cast<double>(pieces * kMiB) / seconds;
}

struct Written {
  std::int64_t bytes = 0;
  double rate = 0;  // bytes per second, of the longest piece
};

/// Writes piece by piece until the time is over; no bytes if the disk refuses.
Written writing(const Nameless& file, const system::AlignedMemory& from, double seconds,
                std::int64_t most, const Control& control) {
  Written written;
  const Clock::time_point start = Clock::now();
  for (std::int64_t piece = kFirstPiece; piece <= kLastPiece; piece *= 2) {
    if (written.bytes + piece > most) break;
    const double left = seconds - seconds_since(start);
    if (written.rate > 0 && static_cast<double>(piece) / written.rate > left) break;
    base::check_cancelled(control);
    const Clock::time_point begun = Clock::now();
    for (std::int64_t done = 0; done < piece; done += kFirstPiece) {
      if (!file.write(written.bytes + done, from.data() + done % from.bytes(), kFirstPiece))
        return {};
    }
    if (!file.sync()) return {};
    written.bytes += piece;
    written.rate = static_cast<double>(piece) / seconds_since(begun);
  }
  return written;
}

/// Bytes per second; 0 on failure.
double reading(const Nameless& file, system::AlignedMemory& into, double seconds,
               std::int64_t bytes) {
  file.forget();
  const Clock::time_point start = Clock::now();
  std::int64_t done = 0;
  for (; done < bytes && (done == 0 || seconds_since(start) < seconds); done += kFirstPiece) {
    if (!file.read(done, into.data(), kFirstPiece)) return 0;
  }
  return static_cast<double>(done) / seconds_since(start);
}

}  // namespace

std::optional<planner::TransferRates> measure_transfers(const planner::RateQuery& asked,
                                                        const MeasureLimits& limits) {
  const std::string folder = store::parent_of(asked.path);
  constexpr std::int64_t kCopied = 64 * kMiB;
  std::error_code failure;
  const auto free = std::filesystem::space(folder, failure).available;
  if (failure || limits.bytes < 2 * kCopied) return std::nullopt;
  const auto most =
      static_cast<std::int64_t>(std::min<std::uintmax_t>(free / kPartOfDisk, 2 * kLastPiece));
  const Control control{nullptr, limits.cancellation};
  system::AlignedMemory from(kCopied), into(kCopied);
  system::parallel_for(kCopied / kMiB, asked.threads, [&](std::int64_t piece) {
    // Random, so that no file system compresses them.
    base::SplitMix64 random(static_cast<std::uint64_t>(piece));
    auto* const words = from.as<std::uint64_t>() + piece * (kMiB / 8);
    std::generate_n(words, kMiB / 8, [&] { return random.next(); });
    std::memset(into.data() + piece * kMiB, 1, kMiB);
  });
  planner::TransferRates rates;
  rates.copy_bytes_per_second = copying(from, into, asked.threads);
  const Nameless file(folder);
  if (!file.open()) return std::nullopt;
  const Written written = writing(file, from, kForWriting * limits.seconds, most, control);
  if (written.bytes == 0) return std::nullopt;
  rates.disk_write_bytes_per_second = written.rate;
  rates.disk_read_bytes_per_second =
      reading(file, into, kForReading * limits.seconds, written.bytes);
  return rates;
}

}  // namespace apsp::rates
