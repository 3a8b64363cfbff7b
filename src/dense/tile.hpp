// The number of a row or column of tiles, as a type that is not confused with vertices, tasks or
// steps, and `LocalIndex`, a row or column as a process of a grid counts its part.
#pragma once

#include <compare>
#include <cstdint>

namespace apsp::dense {

class Tile {
 public:
  constexpr Tile() = default;
  constexpr explicit Tile(std::int64_t number) : number_(number) {}
  constexpr std::int64_t number() const { return number_; }

  constexpr auto operator<=>(const Tile&) const =
      default;  // NOLINT(modernize-use-nullptr): false alarm
  friend constexpr Tile operator+(Tile t, std::int64_t tiles) { return Tile(t.number_ + tiles); }
  friend constexpr Tile operator-(Tile t, std::int64_t tiles) { return Tile(t.number_ - tiles); }
  friend constexpr std::int64_t operator-(Tile a, Tile b) { return a.number_ - b.number_; }
  constexpr Tile& operator++() {
    ++number_;
    return *this;
  }

 private:
  std::int64_t number_ = 0;
};

inline constexpr Tile kFirstTile{0};

/// A row or a column of values, by its number among those that a rank holds.
class LocalIndex {
 public:
  constexpr explicit LocalIndex(std::int64_t number) : number_(number) {}
  constexpr std::int64_t number() const { return number_; }

  constexpr bool operator==(const LocalIndex&) const = default;
  friend constexpr std::int64_t operator-(LocalIndex a, LocalIndex b) {
    return a.number_ - b.number_;
  }

 private:
  std::int64_t number_;
};

/// Tiles [begin, end) of a row or column of tiles.
struct TileSpan {
  Tile begin{};
  Tile end{};
};
inline constexpr TileSpan only(Tile t) { return {t, t + 1}; }

}  // namespace apsp::dense
