// Locks of outputs. While a process writes an output, it locks (flock) a small file next to it, the
// claim. The system releases the lock whenever a process ends, so an unlocked claim was left by a
// killed run. Process numbers are no proof, because containers that share a folder count processes
// separately.
//
// A lock is reliable if other processes can see it: the claim contains the kernel's boot number,
// and processes of one kernel see each other's locks; local file systems have no other kernel.
// Elsewhere (network file systems may not share locks) the holder is "unknown".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::system {

/// The destructor removes the file, then releases the lock.
class FileLock {
 public:
  virtual ~FileLock() = default;
  /// Releases the lock and leaves the file, like the end of the process.
  virtual void abandon() noexcept = 0;
};

/// A claim, or the error: EEXIST if another process has the name, else that of the system.
struct MadeClaim {
  std::unique_ptr<FileLock> claim;
  int error = 0;
};
MadeClaim make_claim(const std::string& path);

/// Files of all claims that this process holds, makes or inspects.
std::vector<std::string> held_claims();

enum class Holder { nobody, someone, unknown };

/// `Holder::nobody`: the caller has the claim and may remove the output.
/// `Holder::unknown`: there may be a claim, for callers that know that no run is alive; others must
/// `abandon` it before its destruction.
struct TakenClaim {
  Holder holder = Holder::unknown;
  std::unique_ptr<FileLock> claim;  // set if nobody, maybe if unknown, never if someone
  std::string why;                  // set if unknown: the reason
};
TakenClaim take_over_claim(const std::string& path);

/// A lock on a permanent file, for processes that take turns.
class Lock {
 public:
  explicit Lock(int file = -1) : file_(file) {}  ///< −1: no lock
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  friend std::unique_ptr<Lock> try_lock(const std::string& path);
  int file_;
};

bool stands_at(int file, const std::string& path);

/// Locks the file at `path`. Null if it is locked or was just replaced: try again. If locks or
/// the file are missing, returns an object that locks nothing.
std::unique_ptr<Lock> try_lock(const std::string& path);

inline constexpr std::string_view kClaimSuffix = ".lock";
inline constexpr std::string_view kPartialWord = ".partial-";
inline constexpr const char* kNoClaim =
    "no lock file next to it tells whether a run still writes it";

/// Returns a hidden name next to `path`: ".air.zarr.partial-PID-K" with a random K.
std::string next_partial_path(const std::string& path);

/// The file or folder of an incomplete output. The file of its claim has the same name plus
/// `kClaimSuffix`; drop the claim after the partial output is renamed or removed.
struct Partial {
  std::string path;
  std::unique_ptr<FileLock> claim;
};

/// Claims the first free name. `claim(name)` returns nullptr if the name is taken.
template <class F>
Partial claim_partial(const std::string& path, F&& claim) {
  for (;;) {
    std::string partial = next_partial_path(path);
    if (std::unique_ptr<FileLock> mine = claim(partial))
      return {std::move(partial), std::move(mine)};
  }
}

}  // namespace apsp::system
