// A file that appears complete or not at all: written under a temporary name in the same folder,
// synced, then renamed. Keeps permissions of a replaced file, and links. Pipes, /dev/null and
// standard output are written in place in blocks of 64 KiB.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <apsp/error.hpp>
#include <apsp/progress.hpp>

#include "base/control.hpp"
#include "io/compression.hpp"
#include "system/file_lock.hpp"
#include "system/open_file.hpp"

namespace apsp::io {

/// The reader of the pipe has closed it, as `head` does.
class ReaderGone : public Error {
 public:
  using Error::Error;
};

class OutputFile {
 public:
  /// "-" is standard output. Throws `Error` (input_output), including `ReaderGone`. Later writes
  /// throw interrupted if `control` is cancelled.
  OutputFile(const std::string& path, Compression compression, const Control& control = {});
  /// Removes the temporary file unless `commit` was called; an old file at the path is kept.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends characters, texts, integers below 2^63 and finite numbers (shortest text of the same
  /// value).
  template <class... Parts>
  void put(const Parts&... parts) {
    (put_one(parts), ...);
  }

  /// Counts progress in rows instead of bytes; call `end_rows` after rows.
  void expect_rows(std::int64_t rows);
  void end_rows(std::int64_t count = 1) { rows_ += count; }

  const std::string& name() const { return name_; }
  std::uint64_t bytes_put() const { return flushed_ + used_; }

  /// Throws `Error` (input_output) if any byte was not written.
  void commit();

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  static constexpr std::size_t kNumberBytes = 32;

  void put_one(char c) {
    if (used_ == kBufferBytes) flush(false);
    buffer_[used_++] = c;
  }
  void put_one(std::string_view text);
  void put_one(std::integral auto value) { put_integer(static_cast<std::int64_t>(value)); }
  void put_one(double value);
  void put_integer(std::int64_t value);
  [[noreturn]] void fail(int code) const;
  void claim_temporary();
  void flush(bool last);

  std::string name_;
  std::string path_;
  std::unique_ptr<system::FileLock> claim_;
  std::string temporary_;  // empty: written in place
  system::Descriptor descriptor_;
  Compressor compressor_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
  Control control_;
  std::unique_ptr<base::ProgressTask> progress_;
  std::int64_t rows_ = 0, reported_ = 0;
};

}  // namespace apsp::io
