// Who is writing here? A claim is a small file beside what is being written, which its process
// keeps locked (flock) until it is done or dies: the system lets go of the lock of a process
// however it ends, so a claim that stands and is free was left by a run that was killed. The number
// of a process would be no proof: two containers that share a folder count processes each for
// itself.
//
// A lock is believed where it can be seen: the claim holds the kernel's boot number, and all
// processes of one kernel see each other's locks; and on file systems of local disks no other
// kernel writes. Elsewhere (network file systems may keep locks to themselves) the answer is
// "unknown".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::base {

/// Dropped: the file is removed, then the lock let go.
class FileLock {
 public:
  virtual ~FileLock() = default;
  /// Lets go and leaves the file, as the end of the process would.
  virtual void abandon() noexcept = 0;
};

/// A claim, or why there is none: EEXIST if the name is another's, else what the system said.
struct MadeClaim {
  std::unique_ptr<FileLock> claim;
  int error = 0;
};
MadeClaim make_claim(const std::string& path);

/// The files of all claims that this process holds, is about to make, or looks at.
std::vector<std::string> held_claims();

enum class Holder { nobody, someone, unknown };

/// With `Holder::nobody` the claim is the caller's, who may remove what it stood for. With
/// `Holder::unknown` there is a claim too if the system gave one, for a caller who knows from
/// elsewhere that no run is alive; a caller who does not must `abandon` it before dropping it.
struct TakenClaim {
  Holder holder = Holder::unknown;
  std::unique_ptr<FileLock> claim;  // set if nobody, perhaps if unknown, never if someone
  std::string why;                  // set if unknown: why it cannot be told
};
TakenClaim take_over_claim(const std::string& path);

/// A file that stays and is locked as long as this lives: those who change what it belongs to take
/// turns.
class Lock {
 public:
  explicit Lock(int file = -1) : file_(file) {}  ///< −1: nothing is locked
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  friend std::unique_ptr<Lock> try_lock(const std::string& path);
  int file_;
};

/// Whether an open file, or folder, is what the path leads to.
bool stands_at(int file, const std::string& path);

/// Locks the file that is at `path`. Null: someone holds it, or another file has just taken its
/// place: ask again. Where the system has no locks, or there is no such file, nothing is locked.
std::unique_ptr<Lock> try_lock(const std::string& path);

inline constexpr std::string_view kClaimSuffix = ".lock";
inline constexpr std::string_view kPartialWord = ".partial-";
inline constexpr const char* kNoClaim =
    "no lock file next to it tells whether a run still writes it";

/// A hidden name beside `path`: ".air.zarr.partial-PID-K", each time another K that is drawn.
std::string next_partial_path(const std::string& path);

/// The file or folder in which something is written until it is complete. Its claim is the file of
/// the same name plus `kClaimSuffix`; drop the claim once the partial has been renamed or removed.
struct Partial {
  std::string path;
  std::unique_ptr<FileLock> claim;
};

/// Claims the first name that is free. `claim(name)` returns nullptr where the name is taken.
template <class F>
Partial claim_partial(const std::string& path, F&& claim) {
  for (;;) {
    std::string partial = next_partial_path(path);
    if (std::unique_ptr<FileLock> mine = claim(partial))
      return {std::move(partial), std::move(mine)};
  }
}

}  // namespace apsp::base
