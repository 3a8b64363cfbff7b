#include "fuzz/damage.hpp"

#include <fmt/format.h>

#include <vector>

#include "store/crc32c.hpp"

namespace apsp::fuzz {
namespace {

std::uint32_t crc_of(const std::string& text) {
  return store::crc32c(std::as_bytes(std::span(text)));
}

/// The digits of some number in a text: where they begin, how many.
void replace_number(std::string& text, Choices& choices) {
  const std::size_t wanted = choices.below(64);
  std::size_t at = 0, length = 0;
  for (std::size_t found = 0, i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    at = i;
    for (length = 0; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) ++length;
    if (found++ == wanted) break;
  }
  if (length > 0) text.replace(at, length, std::to_string(choices.number()));
}

template <class T>
void overwrite(std::string& bytes, Choices& choices) {
  const auto value = static_cast<T>(choices.number());
  if (bytes.size() < sizeof value) return;
  const std::size_t at = choices.below(bytes.size() / sizeof value) * sizeof value;
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void damage_one(std::string& bytes, Choices& choices) {
  const std::size_t at = choices.below(bytes.size() + 1);
  switch (choices.below(8)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(choices.byte());
      break;
    case 1:
      bytes.resize(at);
      break;
    case 2:
      bytes.insert(at, choices.text(1 + choices.below(16)));
      break;
    case 3:
      bytes.erase(at, 1 + choices.below(8));
      break;
    case 4:
      overwrite<std::int32_t>(bytes, choices);
      break;
    case 5:
      overwrite<std::uint16_t>(bytes, choices);
      break;
    case 6:
      overwrite<std::int64_t>(bytes, choices);
      break;
    default:
      replace_number(bytes, choices);
  }
}

/// A chunk ends with its checksum, which the root may name too.
void reseal_chunk(Files& files, std::string& bytes) {
  if (bytes.size() < 4) return;
  std::uint32_t before = 0;
  std::memcpy(&before, bytes.data() + bytes.size() - 4, 4);
  const std::uint32_t now = crc_of(bytes.substr(0, bytes.size() - 4));
  std::memcpy(bytes.data() + bytes.size() - 4, &now, 4);
  const std::string digits = fmt::format("{:08x}", before);
  for (auto& [path, text] : files) {
    if (!path.ends_with("zarr.json")) continue;
    const std::size_t at = text.find(digits);
    if (at != text.npos) text.replace(at, 8, fmt::format("{:08x}", now));
  }
}

/// Each line ends with a checksum of what stands before.
void reseal_lines(std::string& text) {
  std::string sealed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::string payload = line.size() > 9 ? line.substr(0, line.size() - 9) : line;
    sealed += fmt::format("{} {:08x}\n", payload, crc_of(payload));
    at = end + 1;
  }
  text = std::move(sealed);
}

void reseal(Files& files, const std::string& path) {
  if (path.find("/c/") != path.npos) reseal_chunk(files, files[path]);
  if (path.find("ledger") != path.npos) reseal_lines(files[path]);
}

}  // namespace

void damage(Files& files, Choices& choices) {
  for (std::size_t times = 1 + choices.below(4); times > 0 && !files.empty(); --times) {
    std::vector<std::string> paths;
    for (const auto& [path, bytes] : files) {
      if (!path.ends_with('/')) paths.push_back(path);
    }
    if (paths.empty()) return;
    const std::string path = paths[choices.below(paths.size())];
    const std::size_t how = choices.below(16);
    if (how == 0) {
      files.erase(path);
    } else if (how == 1) {
      files[path] = files[paths[choices.below(paths.size())]];
    } else {
      damage_one(files[path], choices);
      if (how % 4 != 2) reseal(files, path);
    }
  }
}

std::unique_ptr<store::MemoryFileSystem> in_memory(const Files& files) {
  auto system = std::make_unique<store::MemoryFileSystem>();
  for (const auto& [path, bytes] : files) {
    if (path.ends_with('/')) {
      system->make_directory(path.substr(0, path.size() - 1));
    } else {
      const auto file = system->create(path);
      file->write(0, std::as_bytes(std::span(bytes)));
    }
  }
  return system;
}

}  // namespace apsp::fuzz
