// The harness of all benchmarks: options, clocks, the best or the median of repetitions, the exit.
#pragma once

#include <fmt/format.h>
#include <sys/resource.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/semiring.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/units.hpp"

namespace apsp::bench {

/// One repetition.
struct Sample {
  double seconds = 0;
  /// Of all threads together and of children that ended: steadier than the clock on a busy machine.
  double cpu_seconds = 0;
};

template <class F>
Sample timed(F&& work) {
  const auto cpu = [] {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    rusage ended{};
    getrusage(RUSAGE_CHILDREN, &ended);
    return static_cast<double>(now.tv_sec + ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
           1e-9 * static_cast<double>(now.tv_nsec) +
           1e-6 * static_cast<double>(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
  };
  const double cpu_start = cpu();
  const auto start = std::chrono::steady_clock::now();
  work();
  const auto end = std::chrono::steady_clock::now();
  return {std::chrono::duration<double>(end - start).count(), cpu() - cpu_start};
}

template <class F>
double seconds(F&& work) {
  return timed(std::forward<F>(work)).seconds;
}

/// The least seconds of so many calls.
template <class F>
double best_of(int rounds, F&& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) best = std::min(best, seconds(work));
  return best;
}

/// Requires: a value.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The median seconds of so many calls.
template <class F>
double median_of(int rounds, F&& work) {
  std::vector<double> all;
  for (int round = 0; round < rounds; ++round) all.push_back(seconds(work));
  return median(std::move(all));
}

inline double cube(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return side * side * side;
}

/// "what      12.3 ms, more", written at once.
inline void show(const std::string& what, double time, const std::string& more = {}) {
  fmt::print("{:<40} {:10.1f} ms{}\n", what, time * 1e3, more);
  std::fflush(stdout);
}

/// The options of one program, each declared by its name and the word for its value: "--n N". Lists
/// are separated by commas or given by repeating the option; the first of them replaces the
/// default. A bool takes no value.
class Options {
 public:
  /// `usage`: the program and its words, such as "apsp_parts_bench GRAPH".
  explicit Options(std::string usage) : usage_(std::move(usage)) {}

  template <class T>
  Options& operator()(const std::string& option, T& into) {
    return add(option, reader(into));
  }
  /// A number of bytes, such as `1073741824` or `1GiB`.
  Options& bytes(const std::string& option, std::int64_t& into) {
    return add(option, [&into](const std::string& text) {
      const auto bytes = base::parse_bytes(text);
      if (!bytes) refuse("no number of bytes: " + text);
      into = *bytes;
    });
  }
  /// Words that are no options: each call takes the next one, a list all that are left.
  template <class T>
  Options& word(T& into) {
    words_.push_back(reader(into));
    return *this;
  }
  /// At least so many words must be there.
  Options& needs(std::size_t words) {
    needed_ = words;
    return *this;
  }

  /// Reads the words, then calls `act`, which returns whether all that was compared agrees, or
  /// nothing. Returns the exit status: 1 where something differs or fails, 2 for wrong words.
  template <class F>
  int run(int argc, char** argv, F&& act) {
    if (argc > 1 && std::string(argv[1]) == "--help") {
      fmt::print("{}\n", usage_);
      return 0;
    }
    try {
      parse({argv + 1, argv + argc});
    } catch (const Error& error) {
      fmt::print(stderr, "{}\nusage: {}\n", error.what(), usage_);
      return 2;
    }
    try {
      if constexpr (std::is_void_v<decltype(act())>) {
        act();
        return 0;
      } else {
        return act() ? 0 : 1;
      }
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      return 1;
    }
  }

 private:
  using Read = std::function<void(const std::string&)>;
  struct Option {
    std::string name;
    bool has_value;
    Read read;
  };

  Options& add(const std::string& option, Read read) {
    const std::size_t blank = option.find(' ');
    options_.push_back({option.substr(0, blank), blank != std::string::npos, std::move(read)});
    usage_ += " [" + option + "]";
    return *this;
  }

  void parse(const std::vector<std::string>& words) {
    std::size_t taken = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto option = std::find_if(options_.begin(), options_.end(),
                                       [&](const Option& each) { return each.name == words[i]; });
      if (option != options_.end()) {
        if (option->has_value && ++i == words.size()) refuse(option->name + " needs a value");
        option->read(words[i]);
      } else if (words[i].starts_with("--") || words_.empty()) {
        refuse("unknown option " + words[i]);
      } else {
        words_[std::min(taken++, words_.size() - 1)](words[i]);
      }
    }
    if (taken < needed_) refuse("a word is missing");
  }

  template <class T>
  static Read reader(T& into) {
    return [&into](const std::string& text) { into = of<T>(text); };
  }
  static Read reader(std::optional<ValueType>& into) {
    return [&into](const std::string& text) { into = of<ValueType>(text); };
  }
  template <class T>
  static Read reader(std::vector<T>& into) {
    return [&into, first = true](const std::string& text) mutable {
      if (std::exchange(first, false)) into.clear();
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        into.push_back(of<T>(text.substr(at, comma - at)));
        at = comma + 1;
      }
    };
  }
  template <class T>
  static T of(const std::string& text) {
    if constexpr (std::is_same_v<T, bool>) {
      return true;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text;
    } else if constexpr (std::is_same_v<T, ValueType>) {
      const auto type = parse_value_type(text);
      if (!type) refuse("no value type " + text);
      return *type;
    } else {
      T value{};
      const auto end = text.data() + text.size();
      const auto read = std::from_chars(text.data(), end, value);
      if (read.ptr != end || read.ec != std::errc()) refuse("not a number: " + text);
      return value;
    }
  }
  [[noreturn]] static void refuse(const std::string& why) { throw Error(ErrorKind::usage, why); }

  std::string usage_;
  std::vector<Option> options_;
  std::vector<Read> words_;
  std::size_t needed_ = 0;
};

/// The weights that benchmarks of sparse solves give a graph.
struct Weights {
  bool hops = false;           ///< all 1
  std::uint64_t greatest = 0;  ///< of random ones, from 1 on; 0: those of the file

  void declare(Options& options) { options("--hops", hops)("--random GREATEST", greatest); }
  Graph of(const Graph& graph) const {
    if (!hops && greatest == 0) return graph;
    base::SplitMix64 random(1);
    GraphBuilder builder(graph.vertex_count(), graph.directed());
    graph.visit_all([&](Vertex u, Vertex v, double) {
      if (!graph.directed() && v < u) return;
      builder.add_edge(u, v, greatest > 0 ? 1 + static_cast<double>(random.below(greatest)) : 1);
    });
    return std::move(builder).build();
  }
};

/// The graph of a file, or of "roads|grid|gnp|geo|rmat:VERTICES[:EDGES]".
inline Graph graph_named(const std::string& words, const ReadOptions& reading = {}) {
  const std::size_t first = std::min(words.find(':'), words.size());
  const std::string word = words.substr(0, first);
  const auto kind = parse_graph_kind(word == "geo" ? "geometric" : word);
  if (!kind || first == words.size()) return read_graph(words, reading);
  char* end = nullptr;
  GenerateOptions options{.kind = *kind,
                          .vertices = std::strtoll(words.c_str() + first + 1, &end, 10)};
  const double edges = *end == ':' ? std::atof(end + 1) : 0;
  const auto n = static_cast<double>(options.vertices);
  if (*kind == GraphKind::roads) options.directed = false;
  if (*kind == GraphKind::gnp) options.probability = edges / (n * (n - 1));
  if (*kind == GraphKind::geometric) options.radius = std::sqrt(edges / n / n / 3.14159 * 2);
  if (*kind == GraphKind::rmat) options.edges = static_cast<std::int64_t>(edges);
  return generate(options);
}

}  // namespace apsp::bench
