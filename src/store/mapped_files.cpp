#include "store/mapped_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apsp::store {
namespace {

struct Unmap {
  std::size_t size;
  void operator()(const std::byte* first) const { ::munmap(const_cast<std::byte*>(first), size); }
};

/// Puts the first `bytes` of a file at `to`, in place of what is mapped there.
bool map_file_at(int folder, const std::string& path, std::byte* to, std::size_t bytes) {
  const int file = ::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat facts = {};
  // What lies behind a file's end must not be touched.
  const bool whole = ::fstat(file, &facts) == 0 && facts.st_size >= static_cast<off_t>(bytes);
  const bool mapped =
      whole && ::mmap(to, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
  ::close(file);
  return mapped;
}

}  // namespace

std::shared_ptr<const std::byte[]> map_files(std::span<const std::string> paths, std::int64_t bytes,
                                             int folder) {
  const auto of_file = static_cast<std::size_t>(bytes);
  if (paths.empty() || of_file == 0) return nullptr;
  if (of_file % static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) != 0) return nullptr;
  const std::size_t size = of_file * paths.size();
  // The addresses alone: no memory stands behind them.
  void* const range =
      ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(range);
  std::shared_ptr<const std::byte[]> mapping(first, Unmap{size});
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!map_file_at(folder, paths[i], first + i * of_file, of_file)) return nullptr;
  }
  return mapping;
}

}  // namespace apsp::store
