#include "io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "io/number.hpp"

namespace apsp::io {
namespace {

/// Where a path leads through links, so that a link stays one.
std::string behind_links(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path resolved = std::filesystem::canonical(path, failure);
  return failure ? path : resolved.string();
}

bool written_in_place(const std::string& path) {
  struct stat facts = {};
  return ::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

bool is_directory(const std::string& path) {
  struct stat facts = {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Compression compression, const Control& control)
    : path_(path),
      compressor_(make_compressor(compression)),
      buffer_(std::make_unique<char[]>(kBufferBytes)),
      control_(control) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  constexpr mode_t kReadableByAll = 0666;  // less the user's umask
  if (written_in_place(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    path_ = behind_links(path);
    if (is_directory(path_)) fail(EISDIR);
    claim_temporary();
    descriptor_ =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll);
  }
  if (descriptor_ < 0) fail(errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0 || descriptor_ == STDOUT_FILENO) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::claim_temporary() {
  base::Partial partial = base::claim_partial(path_, [this](const std::string& candidate) {
    base::MadeClaim made = base::make_claim(candidate + std::string(base::kClaimSuffix));
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

void OutputFile::put(std::string_view text) {
  while (!text.empty()) {
    if (used_ == kBufferBytes) flush(false);
    const std::size_t count = std::min(text.size(), kBufferBytes - used_);
    std::memcpy(buffer_.get() + used_, text.data(), count);
    used_ += count;
    text.remove_prefix(count);
  }
}

void OutputFile::put_integer(std::uint64_t value) {
  if (kBufferBytes - used_ < kNumberBytes) flush(false);
  char* const at = buffer_.get() + used_;
  used_ += static_cast<std::size_t>(std::to_chars(at, at + kNumberBytes, value).ptr - at);
}

void OutputFile::put_number(double value) {
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
  const std::span<const char> piece(buffer_.get(), used_);
  if (compressor_ != nullptr) {
    compressor_->write(piece, last, [this](std::span<const char> bytes) { write_all(bytes); });
  } else {
    write_all(piece);
  }
  flushed_ += used_;
  used_ = 0;
}

void OutputFile::write_all(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void OutputFile::commit() {
  flush(true);
  if (descriptor_ == STDOUT_FILENO) return;
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(errno);
  const int descriptor = std::exchange(descriptor_, -1);
  const bool closed = ::close(descriptor) == 0;
  const int close_error = errno;
  if (temporary_.empty()) {
    if (!closed) fail(close_error);
    return;
  }
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = closed ? errno : close_error;
    ::unlink(temporary_.c_str());
    fail(code);
  }
  claim_.reset();
}

}  // namespace apsp::io
