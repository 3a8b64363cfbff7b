// A disk in memory that remembers in which order it was changed and what has reached it, to say
// what a power cut at any moment may leave: the states of a file system, not only those of a killed
// process. One run is recorded; each moment and seed is then one more power cut.
//
// Files' bytes reach the disk sector by sector in any order until they are synced, and a file's
// length apart from them. Names (create, rename, exchange, remove) reach it in their order where
// the file system keeps a journal, as ext4, XFS and Btrfs do, or in any order: each with or without
// those before it, but a rename whole. `sync` of a file orders no names. The idea is that of ALICE
// (Pillai et al. 2014, §3).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "support/memory_file_system.hpp"

namespace apsp::store {

enum class Names { in_order, in_any_order };

class RecordedFileSystem final : public FileSystem {
 public:
  /// Without `heeds_syncs`, a disk that claims to sync and does not.
  explicit RecordedFileSystem(bool heeds_syncs = true) : heeds_syncs_(heeds_syncs) {}

  /// How many changes and syncs there were: a power cut comes before one of them, or after all.
  std::size_t moments() const { return log_.size(); }

  /// What the disk holds when the power has come back.
  std::unique_ptr<MemoryFileSystem> after(std::size_t moment, Names order,
                                          base::SplitMix64& random) const {
    const std::vector<Fate> fates = fates_at(moment, order, random);
    std::map<std::pair<Id, std::string>, Id> entries;
    std::map<Id, std::string> contents;
    for (std::size_t i = 0; i < moment; ++i) replay(log_[i], fates[i], entries, contents, random);
    auto disk = std::make_unique<MemoryFileSystem>();
    build(*disk, kRoot, ".", entries, contents);
    return disk;
  }

  FileKind kind(const std::string& path) const override { return live_.kind(path); }
  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    return live_.open(path);
  }
  std::vector<std::string> list(const std::string& path) const override { return live_.list(path); }
  std::string resolve(const std::string& path) const override { return path; }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    auto below = live_.create(path);
    const std::lock_guard lock(mutex_);
    const Id id = add(path, false);
    return std::make_unique<File>(*this, id, std::move(below));
  }
  std::unique_ptr<WritableFile> reopen(const std::string& path, std::int64_t bytes) override {
    auto below = live_.reopen(path, bytes);
    const std::lock_guard lock(mutex_);
    const Id id = id_of(path).value();
    log_.push_back({.kind = Kind::length, .id = id, .offset = bytes});
    return std::make_unique<File>(*this, id, std::move(below));
  }
  void make_directory(const std::string& path) override {
    live_.make_directory(path);
    const std::lock_guard lock(mutex_);
    add(path, true);
  }
  void rename(const std::string& from, const std::string& to) override {
    live_.rename(from, to);
    const std::lock_guard lock(mutex_);
    const Id id = id_of(from).value();
    note_names({{entry_of(from), kNone}, {entry_of(to), id}});
  }
  void exchange(const std::string& a, const std::string& b) override {
    live_.exchange(a, b);
    const std::lock_guard lock(mutex_);
    const Id first = id_of(a).value(), second = id_of(b).value();
    note_names({{entry_of(a), second}, {entry_of(b), first}});
  }
  void remove_all(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    forget(path);
    live_.remove_all(path);
  }
  std::unique_ptr<system::FileLock> claim(const std::string& path) override {
    auto below = live_.claim(path);
    if (below == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    add(path, false);
    return std::make_unique<RecordedClaim>(*this, path, std::move(below));
  }
  system::TakenClaim take_over(const std::string& path) override {
    system::TakenClaim taken = live_.take_over(path);
    if (taken.claim != nullptr) {
      taken.claim = std::make_unique<RecordedClaim>(*this, path, std::move(taken.claim));
    }
    return taken;
  }
  void sync_tree(const std::string&) override {  // syncfs: the whole file system
    const std::lock_guard lock(mutex_);
    log_.push_back({.kind = Kind::sync_all});
  }
  void sync_names(const std::string& directory) override {
    const std::lock_guard lock(mutex_);
    log_.push_back({.kind = Kind::sync_names, .id = id_of(directory).value()});
  }

 private:
  using Id = std::size_t;
  static constexpr Id kRoot = 0, kNone = static_cast<Id>(-1);
  static constexpr std::size_t kSectorBytes = 16;  // files of tests are small

  enum class Kind { names, bytes, length, sync_file, sync_names, sync_all };
  using Entry = std::pair<Id, std::string>;  // in which directory, under which name
  struct Change {
    Kind kind = Kind::names;
    Id id = kNone;
    std::vector<std::pair<Entry, Id>> entries{};
    std::int64_t offset = 0;  // of bytes; a length
    std::string bytes{};
  };
  enum class Fate { lost, kept, drawn };  // drawn: sector by sector

  class File final : public WritableFile {
   public:
    File(RecordedFileSystem& system, Id id, std::unique_ptr<WritableFile> below)
        : system_(system), id_(id), below_(std::move(below)) {}
    void reserve(std::int64_t bytes) override {
      below_->reserve(bytes);
      system_.note({.kind = Kind::length, .id = id_, .offset = bytes});
    }
    void write(std::int64_t offset, std::span<const std::byte> bytes) override {
      below_->write(offset, bytes);
      system_.note({.kind = Kind::bytes,
                    .id = id_,
                    .offset = offset,
                    .bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    }
    void sync() override { system_.note({.kind = Kind::sync_file, .id = id_}); }
    void close() override { below_->close(); }

   private:
    RecordedFileSystem& system_;
    Id id_;
    std::unique_ptr<WritableFile> below_;
  };

  class RecordedClaim final : public system::FileLock {
   public:
    RecordedClaim(RecordedFileSystem& system, std::string path,
                  std::unique_ptr<system::FileLock> below)
        : system_(system), path_(std::move(path)), below_(std::move(below)) {}
    ~RecordedClaim() override {
      if (below_ == nullptr) return;
      const std::lock_guard lock(system_.mutex_);
      system_.note_names({{system_.entry_of(path_), kNone}});
    }
    void abandon() noexcept override {
      below_->abandon();
      below_.reset();
    }

   private:
    RecordedFileSystem& system_;
    std::string path_;
    std::unique_ptr<system::FileLock> below_;
  };

  void note(Change change) {
    const std::lock_guard lock(mutex_);
    log_.push_back(std::move(change));
  }
  void note_names(std::vector<std::pair<Entry, Id>> entries) {
    for (const auto& [entry, id] : entries) names_[entry] = id;
    log_.push_back({.kind = Kind::names, .entries = std::move(entries)});
  }
  Id add(const std::string& path, bool directory) {
    const Id id = is_directory_.size();
    is_directory_.push_back(directory);
    note_names({{entry_of(path), id}});
    return id;
  }
  std::optional<Id> id_of(const std::string& path) const {
    if (path == ".") return kRoot;
    const auto at = names_.find(entry_of(path));
    if (at == names_.end() || at->second == kNone) return std::nullopt;
    return at->second;
  }
  Entry entry_of(const std::string& path) const {
    return {id_of(parent_of(path)).value(), name_of(path)};
  }
  /// As rm -r does: one name after the other, from below.
  void forget(const std::string& path) {
    if (live_.kind(path) == FileKind::none) return;
    if (live_.kind(path) == FileKind::directory) {
      for (const std::string& name : live_.list(path)) forget(join(path, name));
    }
    note_names({{entry_of(path), kNone}});
  }

  bool touches(const Change& change, Id directory) const {
    return std::ranges::any_of(change.entries,
                               [&](const auto& one) { return one.first.first == directory; });
  }

  std::vector<Fate> fates_at(std::size_t moment, Names order, base::SplitMix64& random) const {
    std::vector<Fate> fates(moment, Fate::lost);
    std::size_t last_name = 0;  // kept names end before it, where they come in order
    const auto keep = [&](std::size_t end, auto&& which) {
      for (std::size_t i = 0; i < end; ++i) {
        if (!which(log_[i])) continue;
        fates[i] = Fate::kept;
        if (log_[i].kind == Kind::names) last_name = std::max(last_name, i + 1);
      }
    };
    for (std::size_t i = 0; heeds_syncs_ && i < moment; ++i) {
      const Change& sync = log_[i];
      const auto is_bytes = [&](const Change& change) {
        return (change.kind == Kind::bytes || change.kind == Kind::length) && change.id == sync.id;
      };
      if (sync.kind == Kind::sync_all) keep(i, [](const Change&) { return true; });
      if (sync.kind == Kind::sync_file) keep(i, is_bytes);
      if (sync.kind == Kind::sync_names) {
        keep(i, [&](const Change& change) { return touches(change, sync.id); });
      }
    }
    const std::size_t end = last_name + random.below(moment - last_name + 1);
    const std::uint64_t share =
        random.below(5);  // of what is lost: sometimes all, sometimes nothing
    for (std::size_t i = 0; i < moment; ++i) {
      if (fates[i] == Fate::kept) continue;
      if (log_[i].kind == Kind::names) {
        const bool kept = order == Names::in_order ? i < end : random.below(4) >= share;
        fates[i] = kept ? Fate::kept : Fate::lost;
      } else {
        fates[i] = random.below(4) >= share ? Fate::drawn : Fate::lost;
      }
    }
    return fates;
  }

  static void replay(const Change& change, Fate fate, std::map<Entry, Id>& entries,
                     std::map<Id, std::string>& contents, base::SplitMix64& random) {
    if (fate == Fate::lost) return;
    std::string& content = contents[change.id];
    if (change.kind == Kind::names) {
      for (const auto& [entry, id] : change.entries) entries[entry] = id;
    } else if (change.kind == Kind::length) {
      content.resize(static_cast<std::size_t>(change.offset));
    } else if (change.kind == Kind::bytes) {
      const auto from = static_cast<std::size_t>(change.offset);
      for (std::size_t at = 0; at < change.bytes.size(); at += kSectorBytes) {
        if (fate == Fate::drawn && random.below(3) == 0) continue;
        const std::size_t count = std::min(kSectorBytes, change.bytes.size() - at);
        if (content.size() < from + at + count) content.resize(from + at + count);
        content.replace(from + at, count, change.bytes, at, count);
      }
    }
  }

  void build(MemoryFileSystem& disk, Id directory, const std::string& path,
             const std::map<Entry, Id>& entries, const std::map<Id, std::string>& contents) const {
    for (auto at = entries.lower_bound({directory, ""});
         at != entries.end() && at->first.first == directory; ++at) {
      if (at->second == kNone) continue;
      const std::string below = join(path, at->first.second);
      if (disk.kind(below) != FileKind::none) continue;
      if (is_directory_[at->second]) {
        disk.make_directory(below);
        build(disk, at->second, below, entries, contents);
      } else {
        const auto content = contents.find(at->second);
        const auto file = disk.create(below);
        if (content != contents.end()) file->write(0, std::as_bytes(std::span(content->second)));
      }
    }
  }

  bool heeds_syncs_;
  mutable std::mutex mutex_;
  MemoryFileSystem live_;
  std::map<Entry, Id> names_;
  std::vector<bool> is_directory_{true};
  std::vector<Change> log_;
};

}  // namespace apsp::store
