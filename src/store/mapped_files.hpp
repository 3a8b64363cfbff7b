// Files side by side in the address space: the chunks of a vector become one array, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace apsp::store {

/// As `FileSystem::map`.
std::shared_ptr<const std::byte[]> map_files(std::span<const std::string> paths,
                                             std::int64_t bytes);

}  // namespace apsp::store
