// A file system that fails on purpose, for tests: a disk that fills up after so many bytes, one
// operation that fails, one that is slow, or a machine that stops at an operation, half of a write
// done, so that nothing later reaches the disk. Reading is let through. The idea is LevelDB's fault
// injection test.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "store/file_system.hpp"

namespace apsp::store {

struct Faults {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::int64_t disk_bytes = kNever;         ///< as many can be written, then the disk is full
  std::int64_t failing_operation = kNever;  ///< this one (from 0) fails
  std::int64_t crash_operation = kNever;    ///< this one and all later ones do nothing
  double bytes_per_second = 0;              ///< a write takes as long; 0: no time
};

class FaultyFileSystem final : public FileSystem {
 public:
  explicit FaultyFileSystem(FileSystem& below, Faults faults = {})
      : below_(below), faults_(faults) {}

  std::int64_t operations() const { return operations_; }  ///< that would change the disk, so far
  std::int64_t bytes_written() const { return bytes_; }

  FileKind kind(const std::string& path) const override { return below_.kind(path); }
  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    return below_.open(path);
  }
  std::vector<std::string> list(const std::string& path) const override {
    return below_.list(path);
  }
  std::shared_ptr<const std::byte[]> map(std::span<const std::string> paths,
                                         std::int64_t bytes) const override {
    return below_.map(paths, bytes);
  }
  std::string resolve(const std::string& path) const override { return below_.resolve(path); }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    const bool alive = begin(path) == Moment::before_crash;
    return std::make_unique<File>(*this, path, alive ? below_.create(path) : nullptr);
  }
  std::unique_ptr<WritableFile> reopen(const std::string& path, std::int64_t bytes) override {
    const bool alive = begin(path) == Moment::before_crash;
    return std::make_unique<File>(*this, path, alive ? below_.reopen(path, bytes) : nullptr);
  }
  void make_directory(const std::string& path) override {
    if (begin(path) == Moment::before_crash) below_.make_directory(path);
  }
  void rename(const std::string& from, const std::string& to) override {
    if (begin(to) == Moment::before_crash) below_.rename(from, to);
  }
  void exchange(const std::string& a, const std::string& b) override {
    if (begin(b) == Moment::before_crash) below_.exchange(a, b);
  }
  void remove_all(const std::string& path) override {
    if (begin(path) == Moment::before_crash) below_.remove_all(path);
  }
  std::unique_ptr<system::FileLock> claim(const std::string& path) override {
    const bool alive = begin(path) == Moment::before_crash;
    std::unique_ptr<system::FileLock> below = alive ? below_.claim(path) : nullptr;
    if (alive && below == nullptr) return nullptr;
    return std::make_unique<FaultyClaim>(*this, std::move(below));
  }
  system::TakenClaim take_over(const std::string& path) override { return below_.take_over(path); }
  void sync_tree(const std::string& path) override {
    if (begin(path) == Moment::before_crash) below_.sync_tree(path);
  }
  void sync_names(const std::string& path) override {
    if (begin(path) == Moment::before_crash) below_.sync_names(path);
  }

 private:
  enum class Moment { before_crash, crash, after_crash };

  class File final : public WritableFile {
   public:
    File(FaultyFileSystem& system, std::string path, std::unique_ptr<WritableFile> below)
        : system_(system), path_(std::move(path)), below_(std::move(below)) {}

    /// The length is set but no space claimed: the disk fills up while writing.
    void reserve(std::int64_t bytes) override {
      if (system_.begin(path_) == Moment::before_crash && below_) below_->reserve(bytes);
    }
    void write(std::int64_t offset, std::span<const std::byte> bytes) override {
      const Moment moment = system_.begin(path_);
      if (moment == Moment::after_crash || below_ == nullptr) return;
      const auto size = static_cast<std::int64_t>(bytes.size());
      const std::int64_t before = system_.bytes_.fetch_add(size);
      const std::int64_t room =
          std::clamp(system_.faults_.disk_bytes - before, std::int64_t{0}, size);
      const std::int64_t taken = moment == Moment::crash ? room / 2 : room;
      below_->write(offset, bytes.first(static_cast<std::size_t>(taken)));
      if (system_.faults_.bytes_per_second > 0) {
        std::this_thread::sleep_for(std::chrono::duration<double>(
            static_cast<double>(taken) / system_.faults_.bytes_per_second));
      }
      if (room < size) throw system_error(path_, ENOSPC);
    }
    void sync() override {
      if (system_.begin(path_) == Moment::before_crash && below_) below_->sync();
    }
    void close() override {
      if (system_.begin(path_) == Moment::before_crash && below_) below_->close();
    }

   private:
    FaultyFileSystem& system_;
    std::string path_;
    std::unique_ptr<WritableFile> below_;
  };

  /// Where the machine stops at the next operation or has stopped, the lock is free and the file
  /// stays.
  class FaultyClaim final : public system::FileLock {
   public:
    FaultyClaim(FaultyFileSystem& system, std::unique_ptr<system::FileLock> below)
        : system_(system), below_(std::move(below)) {}
    ~FaultyClaim() override {
      if (below_ && system_.operations_ >= system_.faults_.crash_operation) below_->abandon();
    }
    void abandon() noexcept override {
      if (below_) below_->abandon();
      below_.reset();
    }

   private:
    FaultyFileSystem& system_;
    std::unique_ptr<system::FileLock> below_;
  };

  Moment begin(const std::string& path) {
    const std::int64_t operation = operations_.fetch_add(1);
    if (operation == faults_.failing_operation) throw system_error(path, EIO);
    if (operation < faults_.crash_operation) return Moment::before_crash;
    return operation == faults_.crash_operation ? Moment::crash : Moment::after_crash;
  }

  FileSystem& below_;
  Faults faults_;
  std::atomic<std::int64_t> operations_{0};
  std::atomic<std::int64_t> bytes_{0};
};

}  // namespace apsp::store
