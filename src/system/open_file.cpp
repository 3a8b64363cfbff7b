#include "system/open_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace apsp::system {

bool Descriptor::close() noexcept { return !is_open() || ::close(std::exchange(number_, -1)) == 0; }

Descriptor open_nameless(const std::string& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  std::string name = folder + "/.apsp-XXXXXX";  // for file systems without O_TMPFILE
  Descriptor named(::mkostemp(name.data(), O_CLOEXEC));
  if (named.is_open()) ::unlink(name.c_str());
  return named;
}

bool write_all(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace apsp::system
