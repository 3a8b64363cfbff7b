// A file system in memory: thousands of runs in the time the disk needs for a few, and
// the whole of it can be compared before and after. Directories are names that end in "/".
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "store/file_system.hpp"

namespace apsp::store {

class MemoryFileSystem final : public FileSystem {
 public:
  using Content = std::string;
  using Tree = std::map<std::string, std::shared_ptr<Content>>;

  FileKind kind(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    return kind_of(path);
  }
  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    if (kind_of(path) != FileKind::file) throw system_error(path, ENOENT);
    return std::make_unique<Reader>(path, tree_.at(path));
  }
  std::vector<std::string> list(const std::string& directory) const override {
    const std::lock_guard lock(mutex_);
    if (kind_of(directory) != FileKind::directory) throw system_error(directory, ENOENT);
    std::vector<std::string> names;
    const std::string prefix = directory == "." ? "" : directory + "/";
    for (auto at = tree_.upper_bound(prefix); at != tree_.end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      std::string name = at->first.substr(prefix.size());
      if (name.ends_with('/')) name.pop_back();
      if (name.find('/') == std::string::npos) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string resolve(const std::string& path) const override { return path; }

  std::unique_ptr<WritableFile> create(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    require_parent(path);
    if (kind_of(path) != FileKind::none) throw system_error(path, EEXIST);
    return std::make_unique<Writer>(tree_[path] = std::make_shared<Content>());
  }
  std::unique_ptr<WritableFile> reopen(const std::string& path, std::int64_t bytes) override {
    const std::lock_guard lock(mutex_);
    if (kind_of(path) != FileKind::file) throw system_error(path, ENOENT);
    tree_[path]->resize(static_cast<std::size_t>(bytes));
    return std::make_unique<Writer>(tree_[path]);
  }
  void make_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    require_parent(path);
    if (kind_of(path) != FileKind::none) throw system_error(path, EEXIST);
    tree_[path + "/"] = nullptr;
  }
  void rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    if (kind_of(from) == FileKind::none) throw system_error(from, ENOENT);
    if (kind_of(to) == FileKind::directory) throw system_error(to, EISDIR);
    put(take(from), to);
  }
  void exchange(const std::string& a, const std::string& b) override {
    const std::lock_guard lock(mutex_);
    if (kind_of(a) == FileKind::none) throw system_error(a, ENOENT);
    if (kind_of(b) == FileKind::none) throw system_error(b, ENOENT);
    Tree from_a = take(a);
    put(take(b), a);
    put(std::move(from_a), b);
  }
  void remove_all(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    take(path);
  }
  std::unique_ptr<system::FileLock> claim(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    require_parent(path);
    if (kind_of(path) != FileKind::none) return nullptr;
    tree_[path] = std::make_shared<Content>();
    held_.insert(path);
    return std::make_unique<HeldClaim>(*this, path);
  }
  system::TakenClaim take_over(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (kind_of(path) != FileKind::file)
      return {system::Holder::unknown, nullptr, system::kNoClaim};
    if (!held_.insert(path).second) return {system::Holder::someone, nullptr, {}};
    return {system::Holder::nobody, std::make_unique<HeldClaim>(*this, path), {}};
  }
  void sync_tree(const std::string&) override {}
  void sync_names(const std::string&) override {}

  /// Every name with a copy of its content, directories with none.
  std::map<std::string, Content> contents() const {
    const std::lock_guard lock(mutex_);
    std::map<std::string, Content> all;
    for (const auto& [path, content] : tree_) all[path] = content ? *content : Content();
    return all;
  }

 private:
  class Reader final : public ReadableFile {
   public:
    Reader(std::string path, std::shared_ptr<Content> content)
        : path_(std::move(path)), content_(std::move(content)) {}
    std::int64_t size() const override { return static_cast<std::int64_t>(content_->size()); }
    void read(std::int64_t offset, std::span<std::byte> out) const override {
      const auto from = static_cast<std::size_t>(offset);
      if (from > content_->size() || out.size() > content_->size() - from) {
        throw system_error(path_, EIO);
      }
      if (!out.empty()) std::memcpy(out.data(), content_->data() + from, out.size());
    }

   private:
    std::string path_;
    std::shared_ptr<Content> content_;
  };

  class Writer final : public WritableFile {
   public:
    explicit Writer(std::shared_ptr<Content> content) : content_(std::move(content)) {}
    void reserve(std::int64_t bytes) override { content_->resize(static_cast<std::size_t>(bytes)); }
    void write(std::int64_t offset, std::span<const std::byte> bytes) override {
      if (bytes.empty()) return;
      const std::size_t end = static_cast<std::size_t>(offset) + bytes.size();
      if (content_->size() < end) content_->resize(end);
      std::memcpy(content_->data() + offset, bytes.data(), bytes.size());
    }
    void sync() override {}
    void close() override {}

   private:
    std::shared_ptr<Content> content_;
  };

  class HeldClaim final : public system::FileLock {
   public:
    HeldClaim(MemoryFileSystem& system, std::string path)
        : system_(system), path_(std::move(path)) {}
    ~HeldClaim() override {
      const std::lock_guard lock(system_.mutex_);
      if (held_) system_.tree_.erase(path_);
      if (held_) system_.held_.erase(path_);
    }
    void abandon() noexcept override {
      const std::lock_guard lock(system_.mutex_);
      system_.held_.erase(path_);
      held_ = false;
    }

   private:
    MemoryFileSystem& system_;
    std::string path_;
    bool held_ = true;
  };

  FileKind kind_of(const std::string& path) const {
    if (path == "." || tree_.contains(path + "/")) return FileKind::directory;
    return tree_.contains(path) ? FileKind::file : FileKind::none;
  }
  void require_parent(const std::string& path) const {
    if (kind_of(parent_of(path)) != FileKind::directory) throw system_error(path, ENOENT);
  }
  /// Cuts out `path` and all below; the keys left are relative to it ("" or "/…").
  Tree take(const std::string& path) {
    Tree taken;
    for (auto at = tree_.lower_bound(path); at != tree_.end() && at->first.starts_with(path);) {
      const std::string rest = at->first.substr(path.size());
      if (rest.empty() || rest.front() == '/') {
        taken[rest] = std::move(at->second);
        at = tree_.erase(at);
      } else {
        ++at;
      }
    }
    return taken;
  }
  void put(Tree taken, const std::string& path) {
    for (auto& [rest, content] : taken) tree_[path + rest] = std::move(content);
  }

  mutable std::mutex mutex_;
  Tree tree_;
  std::set<std::string> held_;  // claims
};

}  // namespace apsp::store
