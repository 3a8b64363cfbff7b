// Files side by side in the address space: the chunks of a vector become one array, without a copy.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace apsp::store {

/// As `ReadableFiles::map`; paths are looked up in an open folder.
std::shared_ptr<const std::byte[]> map_files(std::span<const std::string> paths, std::int64_t bytes,
                                             int folder = AT_FDCWD);

}  // namespace apsp::store
