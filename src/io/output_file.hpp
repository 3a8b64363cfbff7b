// A file that appears complete or not at all: written under a temporary name in the same folder,
// brought to the disk, then renamed. It has the permissions of the file that it replaces, and a
// link stays one. A pipe, /dev/null or standard output is written in place, 64 KiB at a time.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <apsp/error.hpp>
#include <apsp/progress.hpp>

#include "base/control.hpp"
#include "base/file_lock.hpp"
#include "base/open_file.hpp"
#include "io/compression.hpp"

namespace apsp::io {

/// Whoever read the pipe that is written to has closed it: `| head` has seen enough.
class ReaderGone : public Error {
 public:
  using Error::Error;
};

class OutputFile {
 public:
  /// "-" is standard output. Throws `Error` (input_output), `ReaderGone` among them. Writing more
  /// throws interrupted where `control` asks for an early end.
  OutputFile(const std::string& path, Compression compression, const Control& control = {});
  /// Dropped before `commit`: the temporary file is removed, what stood at the path stays.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Characters, texts, integers from 0 on and finite numbers, one behind the other. A number is
  /// the shortest text of the same value.
  template <class... Parts>
  void put(const Parts&... parts) {
    (put_one(parts), ...);
  }

  /// Progress is counted in rows, if any are expected: `end_row` after each.
  void expect_rows(std::int64_t rows);
  void end_row() { ++rows_; }

  /// The path as it was given.
  const std::string& name() const { return name_; }
  /// Bytes put so far, before compression.
  std::uint64_t bytes_put() const { return flushed_ + used_; }

  /// Throws `Error` (input_output) if anything did not reach the file.
  void commit();

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  static constexpr std::size_t kNumberBytes = 32;

  void put_one(char c) {
    if (used_ == kBufferBytes) flush(false);
    buffer_[used_++] = c;
  }
  void put_one(std::string_view text);
  void put_one(std::integral auto value) { put_integer(static_cast<std::uint64_t>(value)); }
  void put_one(double value);
  void put_integer(std::uint64_t value);
  [[noreturn]] void fail(int code) const;
  void claim_temporary();
  void flush(bool last);

  std::string name_;
  std::string path_;                       // links followed
  std::unique_ptr<base::FileLock> claim_;  // on `temporary_`
  std::string temporary_;                  // empty: written in place
  base::Descriptor descriptor_;
  Compressor compressor_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
  Control control_;
  std::unique_ptr<base::ProgressTask> progress_;
  std::int64_t rows_ = 0, reported_ = 0;
};

}  // namespace apsp::io
