#include "io/io_testing.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace apsp::io {

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "apsp-io-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

int TemporaryFolder::entries() const {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace apsp::io
