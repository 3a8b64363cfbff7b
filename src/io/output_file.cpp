#include "io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <apsp/io.hpp>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/fail.hpp"
#include "io/number.hpp"
#include "system/permissions.hpp"

namespace apsp::io {
namespace {

std::string behind_links(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path resolved = std::filesystem::canonical(path, failure);
  return failure ? path : resolved.string();
}

bool written_in_place(const std::string& path) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  return exists(status) && !is_regular_file(status) && !is_directory(status);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Compression compression, const Control& control)
    : name_(path),
      path_(path),
      compressor_(make_compressor(compression)),
      buffer_(std::make_unique<char[]>(kBufferBytes)),
      control_(control) {
  constexpr mode_t kReadableByAll = 0666;
  if (path == "-") {
    descriptor_ = system::Descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  } else if (written_in_place(path)) {
    descriptor_ = system::Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  } else {
    path_ = behind_links(path);
    std::error_code failure;
    if (std::filesystem::is_directory(path_, failure)) fail(EISDIR);
    claim_temporary();
    descriptor_ = system::Descriptor(
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
  }
  if (!descriptor_.is_open()) fail(errno);
  if (temporary_.empty()) return;
  if (const auto replaced = system::permissions_of(path_)) {
    system::set_permissions(temporary_, *replaced);
  }
}

OutputFile::~OutputFile() {
  if (temporary_.empty() || ::unlink(temporary_.c_str()) == 0 || errno == ENOENT) return;
  if (claim_ != nullptr) claim_->abandon();  // a later run finds the leftovers
}

void OutputFile::claim_temporary() {
  system::Partial partial = system::claim_partial(path_, [this](const std::string& candidate) {
    system::MadeClaim made = system::make_claim(candidate + std::string(system::kClaimSuffix));
    if (!made.claim && made.error != EEXIST) fail(made.error);
    if (made.claim && ::access(candidate.c_str(), F_OK) == 0) made.claim.reset();
    return std::move(made.claim);
  });
  temporary_ = std::move(partial.path);
  claim_ = std::move(partial.claim);
}

void OutputFile::fail(int code) const {
  const std::string message = fmt::format("cannot write '{}': {}", path_, std::strerror(code));
  if (code == EPIPE) throw ReaderGone(ErrorKind::input_output, message);
  throw Error(ErrorKind::input_output, message);
}

void OutputFile::put_one(std::string_view text) {
  while (!text.empty()) {
    if (used_ == kBufferBytes) flush(false);
    const std::size_t count = std::min(text.size(), kBufferBytes - used_);
    std::memcpy(buffer_.get() + used_, text.data(), count);
    used_ += count;
    text.remove_prefix(count);
  }
}

void OutputFile::put_integer(std::int64_t value) {
  if (kBufferBytes - used_ < kNumberBytes) flush(false);
  char* const at = buffer_.get() + used_;
  used_ += static_cast<std::size_t>(std::to_chars(at, at + kNumberBytes, value).ptr - at);
}

void OutputFile::put_one(double value) {
  if (kBufferBytes - used_ < kNumberBytes) flush(false);
  char* const at = buffer_.get() + used_;
  used_ += static_cast<std::size_t>(format_number(at, value) - at);
}

void OutputFile::expect_rows(std::int64_t rows) {
  progress_ =
      std::make_unique<base::ProgressTask>(control_, "writing", static_cast<double>(rows), "row");
}

void OutputFile::flush(bool last) {
  base::check_cancelled(control_);
  if (progress_ != nullptr) {
    progress_->advance(static_cast<double>(rows_ - reported_));
    reported_ = rows_;
  }
  const auto write_all = [this](std::span<const char> bytes) {
    if (!system::write_all(descriptor_.number(), bytes)) fail(errno);
  };
  const std::span<const char> piece(buffer_.get(), used_);
  if (compressor_) {
    compressor_(piece, last, write_all);
  } else {
    write_all(piece);
  }
  flushed_ += used_;
  used_ = 0;
}

void OutputFile::commit() {
  flush(true);
  if (!temporary_.empty() && ::fsync(descriptor_.number()) != 0) fail(errno);
  if (!descriptor_.close()) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
  claim_.reset();
}

}  // namespace apsp::io

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

/// Whether `path` is `place` or inside it. Examines the parent folders of a missing output.
bool is_within(const std::string& path, const std::string& place) {
  const auto wanted = identity_of(place);
  if (!wanted) return false;
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, failure), failure);
  for (fs::path at = whole; !at.empty(); at = at.parent_path()) {
    if (identity_of(at.string()) == wanted) return true;
    if (at == at.parent_path()) break;
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
    base::fail(ErrorKind::usage,
               "{} is read here, and the output would change it: name another output",
               output == input ? output : fmt::format("{} {} {}, which", output, how, input));
  }
}

}  // namespace apsp
