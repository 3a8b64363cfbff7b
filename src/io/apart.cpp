// An output that is, or holds, or lies in what the same run reads.
//
// Files and folders are known by device and inode, so that names, links and hard links do not hide
// one; of an output that is not there yet, the folders on the way to it are looked at.
#include <fmt/format.h>
#include <sys/stat.h>
#include <apsp/error.hpp>
#include <apsp/io.hpp>

#include <filesystem>
#include <optional>
#include <utility>

namespace apsp {
namespace {

namespace fs = std::filesystem;

using Identity = std::pair<dev_t, ino_t>;

std::optional<Identity> identity_of(const std::string& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
  if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return std::nullopt;
  return Identity{facts.st_dev, facts.st_ino};
}

/// Whether `path` is `place`, or lies somewhere inside of it.
bool is_within(const std::string& path, const std::string& place) {
  const auto wanted = identity_of(place);
  if (!wanted) return false;
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, failure), failure);
  for (fs::path at = whole; !at.empty(); at = at.parent_path()) {
    if (identity_of(at.string()) == wanted) return true;
    if (at == at.parent_path()) break;  // the root
  }
  return false;
}

}  // namespace

void require_apart(const std::string& output, std::span<const std::string> inputs) {
  if (output.empty() || output == "-") return;
  for (const std::string& input : inputs) {
    if (input.empty() || input == "-") continue;
    const bool inside = is_within(output, input), around = is_within(input, output);
    if (!inside && !around) continue;
    const char* const how = inside && around ? "is the same as" : inside ? "lies in" : "holds";
    throw Error(
        ErrorKind::usage,
        fmt::format("{} is read here, and the output would change it: name another output",
                    output == input ? output : fmt::format("{} {} {}, which", output, how, input)));
  }
}

}  // namespace apsp
