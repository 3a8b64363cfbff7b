// What tests/mutation/run writes into a copy of a source file: faults that are chosen while the
// program runs, by $APSP_MUTANT, so that a file is compiled once for all of its mutants.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace mutation {

inline constexpr int kMost = 20000;
inline bool reached[kMost];

/// Writes the numbers of mutants whose code was reached to the file $APSP_REACHED.
struct Report {
  ~Report() {
    const char* const path = std::getenv("APSP_REACHED");
    std::FILE* const out = path == nullptr ? nullptr : std::fopen(path, "a");
    if (out == nullptr) return;
    for (int i = 0; i < kMost; ++i) {
      if (reached[i]) std::fprintf(out, "%d\n", i);
    }
    std::fclose(out);
  }
};
inline const Report kReport;
inline const int kChosen =
    std::getenv("APSP_MUTANT") == nullptr ? -1 : std::atoi(std::getenv("APSP_MUTANT"));

inline bool on(int mutant) {
  if (!reached[mutant]) reached[mutant] = true;  // a write would take the line from other threads
  return mutant == kChosen;
}

/// a < Less<i>() > b is a < b, or a <= b; and so for its kin. `kind` is an index into run's list.
template <int mutant, int kind>
struct Compare {};
template <class A, int mutant, int kind>
struct Left {
  const A& a;
};

template <class A, int mutant, int kind>
Left<A, mutant, kind> operator<(const A& a, Compare<mutant, kind>) {
  return {a};
}
template <class A, int mutant, int kind>
Left<A, mutant, kind> operator==(const A& a, Compare<mutant, kind>) {
  return {a};
}
template <class A, class B, int mutant, int kind>
bool compare(Left<A, mutant, kind> left, const B& b) {
  const bool other = on(mutant);
  if constexpr (kind == 0) return other ? left.a <= b : left.a < b;
  if constexpr (kind == 1) return other ? left.a < b : left.a <= b;
  if constexpr (kind == 2) return other ? left.a >= b : left.a > b;
  if constexpr (kind == 3) return other ? left.a > b : left.a >= b;
  if constexpr (kind == 4) return other ? !(left.a == b) : left.a == b;
  if constexpr (kind == 5) return other ? left.a == b : !(left.a == b);
}
template <class A, class B, int mutant, int kind>
bool operator>(Left<A, mutant, kind> left, const B& b) {
  return compare(left, b);
}
template <class A, class B, int mutant, int kind>
bool operator==(Left<A, mutant, kind> left, const B& b) {
  return compare(left, b);
}

/// a + Plus<i, 0>() + b is a + b, or a - b; with 1 the other way round.
template <int mutant, int kind>
struct Plus {};
template <class A, int mutant, int kind>
struct Summand {
  const A& a;
};
template <class A, int mutant, int kind>
Summand<A, mutant, kind> operator+(const A& a, Plus<mutant, kind>) {
  return {a};
}
template <class A, class B, int mutant, int kind>
auto operator+(Summand<A, mutant, kind> left, const B& b) {
  return on(mutant) == (kind == 0) ? left.a - b : left.a + b;
}

/// An array is a pointer to values that may be written.
template <class T, int mutant, int kind>
struct Pointer {
  T* a;
};
template <class T, std::size_t n, int mutant, int kind>
Pointer<T, mutant, kind> operator+(T (&a)[n], Plus<mutant, kind>) {
  return {a};
}
template <class T, class B, int mutant, int kind>
T* operator+(Pointer<T, mutant, kind> left, const B& b) {
  return on(mutant) == (kind == 0) ? left.a - b : left.a + b;
}

}  // namespace mutation
