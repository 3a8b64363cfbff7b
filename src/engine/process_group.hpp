// The processes of a solve. The class itself is one process, which agrees with itself at once;
// `cluster::Processes` are several, with the rules of what may run where.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/byte_stream.hpp"

namespace apsp::engine {

class ProcessGroup {
 public:
  ProcessGroup() = default;
  virtual ~ProcessGroup() = default;
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  bool first() const { return rank() == 0; }

  /// Runs `work`, which exchanges no messages. Throws, in all processes, an `Error` of the kind and
  /// with the text of the failed process with the smallest number.
  virtual void run_local(const std::function<void()>& work) { work(); }
  /// The same for work of process 0, while the others wait.
  void in_first(const std::function<void()>& work) {
    run_local([&] {
      if (first()) work();
    });
  }
  /// The same for work that process 0 does before the others.
  void first_then_others(const std::function<void()>& work) {
    in_first(work);
    run_local([&] {
      if (!first()) work();
    });
  }
  /// Runs `work`, which exchanges messages. Throws what it throws.
  virtual void communicate(const std::function<void()>& work) { work(); }

  /// Replaces `bytes` by those of process `root`, which are as many.
  virtual void broadcast(int /*root*/, std::span<std::byte> /*bytes*/) {}
  /// Returns the bytes of process `root`.
  base::ByteVector share(base::ByteVector bytes, int root = 0) {
    std::size_t length = bytes.size();
    broadcast(root, std::as_writable_bytes(std::span(&length, 1)));
    bytes.resize(length);
    broadcast(root, bytes);
    return bytes;
  }
  std::string share_text(const std::string& text) {
    return base::text_of(share(base::bytes_of_text(text)));
  }
  template <class T>
  T of_first(T mine) {
    base::read_fields(share(base::bytes_of(std::tie(mine))), std::tie(mine));
    return mine;
  }
  /// Returns the bytes of every process, [count], in process 0; elsewhere nothing.
  virtual std::vector<base::ByteVector> gather(base::ByteVector bytes) {
    std::vector<base::ByteVector> all;
    all.push_back(std::move(bytes));
    return all;
  }
  /// The same for values, [count].
  template <class T>
  std::vector<T> gather_values(const T& mine) {
    std::vector<T> all;
    for (const base::ByteVector& theirs : gather(base::bytes_of(std::tie(mine)))) {
      base::read_fields(theirs, std::tie(all.emplace_back()));
    }
    return all;
  }
  /// The same for texts, those of all processes in one list.
  std::vector<std::string> gather_texts(const std::vector<std::string>& mine) {
    std::vector<std::string> texts;
    for (const std::vector<std::string>& theirs : gather_values(mine)) {
      texts.insert(texts.end(), theirs.begin(), theirs.end());
    }
    return texts;
  }
  virtual std::int64_t least(std::int64_t mine) { return mine; }
};

}  // namespace apsp::engine
