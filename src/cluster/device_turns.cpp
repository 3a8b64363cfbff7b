#include "cluster/device_turns.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace apsp::cluster {
namespace {

Error unshared(const std::string& name) {
  return {ErrorKind::input_output,
          fmt::format("memory {} cannot be shared: {}", name, std::strerror(errno))};
}

/// Returns a name for every process, common to those of a GPU; empty if its GPU is not shared.
std::vector<std::string> names_of(const std::vector<base::ByteVector>& gpus) {
  std::random_device random;
  std::vector<std::string> names(gpus.size());
  for (std::size_t process = 0; process < gpus.size(); ++process) {
    if (gpus[process].empty() || !names[process].empty()) continue;
    if (std::count(gpus.begin(), gpus.end(), gpus[process]) == 1) continue;
    const std::string name = fmt::format("/apsp-{:08x}{:08x}", random(), random());
    for (std::size_t other = process; other < gpus.size(); ++other) {
      if (gpus[other] == gpus[process]) names[other] = name;
    }
  }
  return names;
}

}  // namespace

DeviceTurns::DeviceTurns(std::string name) : name_(std::move(name)) {
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  const int file = ::shm_open(name_.c_str(), O_CREAT | O_RDWR, S_IRUSR | S_IWUSR);
  if (file < 0) throw unshared(name_);
  const bool sized = ::ftruncate(file, sizeof(Counters)) == 0;  // with zeros, once
  void* const memory =
      sized ? ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            : MAP_FAILED;
  const int error = errno;
  ::close(file);
  errno = error;
  if (memory == MAP_FAILED) throw unshared(name_);
  shared_ = static_cast<Counters*>(memory);
}

DeviceTurns::~DeviceTurns() { ::munmap(shared_, sizeof(Counters)); }

void DeviceTurns::ask() { request_ = shared_->asked.fetch_add(1, std::memory_order_acq_rel); }
bool DeviceTurns::is_mine() const {
  return shared_->served.load(std::memory_order_acquire) == request_;
}
void DeviceTurns::pass() { shared_->served.store(request_ + 1, std::memory_order_release); }
void DeviceTurns::forget_name() noexcept { ::shm_unlink(name_.c_str()); }

std::unique_ptr<DeviceTurns> turns_on_gpu(Processes& processes, const std::string& gpu) {
  std::vector<std::string> names;
  const std::vector<base::ByteVector> gpus = processes.gather(base::bytes_of_text(gpu));
  if (processes.first()) names = names_of(gpus);
  names = processes.of_first(std::move(names));
  const std::string& mine = names[static_cast<std::size_t>(processes.rank())];
  std::unique_ptr<DeviceTurns> turns;
  try {
    if (!mine.empty()) turns = std::make_unique<DeviceTurns>(mine);
  } catch (const Error&) {  // slices of time do too
  }
  const bool shared = processes.least(turns != nullptr || mine.empty() ? 1 : 0) == 1;
  if (turns != nullptr) turns->forget_name();
  if (!shared) turns.reset();
  return turns;
}

}  // namespace apsp::cluster
