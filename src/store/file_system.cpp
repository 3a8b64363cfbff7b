#include "store/file_system.hpp"

#include <cerrno>
#include <system_error>

#include "base/fail.hpp"

namespace apsp::store {
namespace {

/// A zarr.json has a few KiB; a file with holes may claim any size.
constexpr std::int64_t kMostText = std::int64_t{1} << 30;

}  // namespace

Error system_error(const std::string& path, int error_number) {
  // std::strerror is not thread-safe; the category's message is.
  const std::string reason = std::generic_category().message(error_number);
  if (error_number == ENOSPC || error_number == EDQUOT) {
    return Error(ErrorKind::input_output,
                 fmt::format("{}: disk full ({}); free some space there, or write the result to "
                             "another disk",
                             path, reason));
  }
  return Error(ErrorKind::input_output, fmt::format("{}: {}", path, reason));
}

Replaced::Replaced(const std::string& path)
    : Error(ErrorKind::input_output,
            fmt::format("{}: another run replaced or removed this result while it was read; open "
                        "it again to read what is there now",
                        path)) {}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string without_last_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string join(const std::string& directory, const std::string& name) {
  if (directory == ".") return name;
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

base::Partial claim_partial(FileSystem& files, const std::string& path) {
  return base::claim_partial(path, [&](const std::string& partial) {
    std::unique_ptr<base::FileLock> claim = files.claim(partial + std::string(base::kClaimSuffix));
    if (claim && files.kind(partial) != FileKind::none) claim.reset();  // of who knows whom
    return claim;
  });
}

void discard_partial(FileSystem& files, base::Partial partial) noexcept {
  if (!files.discard(partial.path) && partial.claim != nullptr) partial.claim->abandon();
}

void WritableFile::write_rows(std::int64_t offset, const std::byte* from, std::int64_t stride,
                              std::int64_t row_bytes, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows; ++i) {
    write(offset + i * row_bytes, {from + i * stride, static_cast<std::size_t>(row_bytes)});
  }
}

void FileSystem::make_directories(const std::string& path) {
  if (kind(path) == FileKind::directory) return;
  const std::string parent = parent_of(path);
  if (parent != path) make_directories(parent);
  make_directory(path);
}

void FileSystem::write_atomically(const std::string& path, std::span<const std::byte> bytes,
                                  bool past_cache) {
  const std::string partial = join(parent_of(path), "." + name_of(path) + ".partial");
  // A run that was killed may have left one in a folder that this run goes on from.
  if (kind(partial) != FileKind::none) remove_all(partial);
  try {
    const std::unique_ptr<WritableFile> file = create(partial);
    past_cache ? file->write_past_cache(0, bytes) : file->write(0, bytes);
    file->close();
    rename(partial, path);
  } catch (...) {
    discard(partial);
    throw;
  }
}

bool FileSystem::discard(const std::string& path) noexcept {
  try {
    remove_all(path);
    return true;
  } catch (const std::exception&) {  // stays behind, under a name that says what it is
    return false;
  }
}

std::string ReadableFiles::read_text(const std::string& path) const {
  const std::unique_ptr<ReadableFile> file = open(path);
  if (file->size() > kMostText) base::fail_input(path, "{} bytes of metadata", file->size());
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace apsp::store
