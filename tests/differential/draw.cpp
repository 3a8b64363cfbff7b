// Problems by lot.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "differential/problem.hpp"

namespace apsp::campaign {
namespace {

enum class Weights {
  ones,
  few,
  small,
  mostly_zero,
  of_both_signs,
  near_u16,
  near_i32,
  huge,  // whole numbers
  decimals,
  close,
  wide,
  subnormal,
  extreme
};
enum class Shape { random, dense, grid, tree, star, path, cycle, acyclic, parts, none };

class SeededLots final : public Lots {
 public:
  explicit SeededLots(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t bound) override { return random_.below(bound); }
  double uniform() override { return random_.uniform(); }

 private:
  base::SplitMix64 random_;
};

class Draw {
 public:
  Draw(Lots& lots, std::uint64_t seed, std::optional<Question> question) : random_(lots) {
    p_.seed = seed;
    p_.question = question ? *question : static_cast<Question>(random_.below(kQuestions.size()));
  }

  Problem problem() {
    choose_semiring();
    choose_weights();
    choose_size();
    choose_edges();
    choose_form();
    choose_way();
    choose_lists();
    choose_changes();
    return std::move(p_);
  }

 private:
  template <class T>
  T pick(std::initializer_list<T> of) {
    return *(of.begin() + random_.below(of.size()));
  }
  bool one_in(std::uint64_t chances) { return random_.below(chances) == 0; }
  bool asks(std::initializer_list<Question> among) const {
    return std::find(among.begin(), among.end(), p_.question) != among.end();
  }
  bool near() const {
    return asks({Question::within, Question::nearest, Question::access, Question::betweenness});
  }
  bool of_a_job() const {
    return asks({Question::job, Question::job_resumed, Question::job_update});
  }
  bool metamorphic() const { return p_.question >= Question::relabelled; }

  void choose_semiring() {
    p_.semiring =
        pick({Semiring::min_plus, Semiring::min_plus, Semiring::min_plus, Semiring::max_min,
              Semiring::min_max, Semiring::max_plus, Semiring::or_and});
    if (near()) p_.semiring = Semiring::min_plus;
    if (asks({Question::removed}) && p_.semiring == Semiring::or_and)
      p_.semiring = Semiring::min_plus;
  }

  void choose_weights() {
    const bool whole = near() || metamorphic() ||
                       asks({Question::statistics, Question::paths, Question::via, Question::update,
                             Question::in_place, Question::batch, Question::job_update});
    if (whole) {
      weights_ =
          pick({Weights::ones, Weights::few, Weights::small, Weights::small, Weights::mostly_zero,
                Weights::of_both_signs, Weights::near_u16, Weights::near_i32});
      if (p_.question == Question::betweenness) {
        weights_ = pick({Weights::ones, Weights::few, Weights::small});
      }
      if (near() && weights_ == Weights::of_both_signs && !one_in(10)) weights_ = Weights::few;
    } else {
      weights_ = static_cast<Weights>(random_.below(13));
    }
  }

  bool whole() const { return weights_ <= Weights::huge; }

  void choose_size() {
    const std::uint64_t kind = random_.below(1000);
    const auto from_to = [&](std::uint64_t low, std::uint64_t high) {
      return static_cast<std::int64_t>(low + random_.below(high - low + 1));
    };
    p_.n = kind < 80    ? from_to(0, 3)
           : kind < 780 ? from_to(4, 14)
           : kind < 960 ? from_to(15, 40)
           : kind < 995 ? from_to(41, 90)
                        : from_to(91, 320);
    if (!whole() && p_.n > 24) p_.n = from_to(4, 24);
    if (weights_ == Weights::huge) p_.n = std::min<std::int64_t>(p_.n, 100);  // exact sums are slow
    if (asks({Question::betweenness, Question::paths, Question::via}) && p_.n > 60) p_.n = 60;
  }

  double weight() {
    const double uniform = random_.uniform();
    const auto below = [&](std::uint64_t bound) {
      return static_cast<double>(random_.below(bound));
    };
    switch (weights_) {
      case Weights::ones:
        return 1;
      case Weights::few:
        return 1 + below(3);
      case Weights::small:
        return (p_.question == Question::betweenness ? 1 : 0) + below(100);
      case Weights::mostly_zero:
        return one_in(4) ? below(5) : 0;
      case Weights::of_both_signs:
        return below(100);  // `turn_signs` goes on
      case Weights::near_u16:
        return below(65535 / static_cast<std::uint64_t>(std::max<std::int64_t>(1, p_.n / 2)));
      case Weights::near_i32:
        return below(std::uint64_t{1} << 31) / (one_in(2) ? 1 : 8);
      case Weights::huge:
        return below(std::uint64_t{1} << (40 + random_.below(14)));
      case Weights::decimals:
        return 0.1 * below(100);
      case Weights::close:
        return std::pow(10.0, centre_) * (0.5 + uniform);
      case Weights::wide:
        return std::pow(10.0, -300 + 600 * uniform);
      case Weights::subnormal:
        return one_in(9) ? 0 : std::pow(10.0, -323 + 18 * uniform);
      case Weights::extreme:
        return std::pow(10.0, one_in(2) ? -46 + 10 * uniform : 36 + 4 * uniform);
    }
    return 1;
  }
  /// Now and then a whole number that a type does not hold, though distances may be small.
  double whole_weight() {
    const bool beyond = (weights_ == Weights::few || weights_ == Weights::small) && one_in(30);
    if (beyond) return pick({32'767.0, 65'536.0, 65'537.0, 0x1p30, 0x1p32 + 1});
    return whole() ? std::floor(weight()) : weight();
  }

  void add(std::int64_t u, std::int64_t v) {
    p_.edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v), whole_weight()});
  }

  void choose_edges() {
    centre_ = -300 + 600 * random_.uniform();
    p_.directed = !one_in(3);
    shape_ = static_cast<Shape>(random_.below(10));
    if (p_.semiring == Semiring::max_plus && !one_in(8)) {
      shape_ = Shape::acyclic;
      p_.directed = true;
    }
    if (shape_ == Shape::acyclic) p_.directed = true;
    if (p_.n > 0) draw_shape();
    if (p_.n > 0 && shape_ != Shape::acyclic) add_loops_and_parallels();
    if (weights_ == Weights::of_both_signs) turn_signs();
    for (std::size_t i = p_.edges.size(); i > 1; --i) {
      std::swap(p_.edges[i - 1], p_.edges[random_.below(i)]);
    }
  }

  void draw_shape() {
    const std::int64_t n = p_.n;
    const auto any = [&](std::int64_t below) {
      return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(below)));
    };
    switch (shape_) {
      case Shape::random: {
        const auto arcs = static_cast<std::int64_t>(static_cast<double>(n) * 4 * random_.uniform());
        for (std::int64_t i = 0; i < arcs; ++i) add(any(n), any(n));
        break;
      }
      case Shape::dense:
      case Shape::acyclic: {
        const double density =
            shape_ == Shape::dense ? 0.4 + 0.6 * random_.uniform() : random_.uniform();
        for (std::int64_t u = 0; u < n; ++u) {
          for (std::int64_t v = 0; v < n; ++v) {
            const bool back = shape_ == Shape::acyclic || !p_.directed;
            if (u != v && !(back && v < u) && random_.uniform() < density) add(u, v);
          }
        }
        break;
      }
      case Shape::grid: {
        const auto side = std::max<std::int64_t>(1, std::llround(std::sqrt(n)));
        for (std::int64_t v = 0; v < n; ++v) {
          for (const std::int64_t to : {v + 1, v + side}) {
            if (to >= n || (to == v + 1 && to % side == 0)) continue;
            add(v, to);
            if (p_.directed && !one_in(5)) add(to, v);
          }
        }
        break;
      }
      case Shape::tree:
        for (std::int64_t v = 1; v < n; ++v) one_in(2) ? add(any(v), v) : add(v, any(v));
        break;
      case Shape::star:
        for (std::int64_t v = 1; v < n; ++v) one_in(2) ? add(0, v) : add(v, 0);
        break;
      case Shape::path:
      case Shape::cycle:
        for (std::int64_t v = 0; v + 1 < n; ++v) add(v, v + 1);
        if (shape_ == Shape::cycle && n > 1) add(n - 1, 0);
        break;
      case Shape::parts: {
        const std::int64_t parts = 1 + any(std::max<std::int64_t>(1, n / 3));
        for (std::int64_t i = 0; i < 2 * n; ++i) {
          const std::int64_t u = any(n), v = any(n);
          if (u % parts == v % parts) add(u, v);
        }
        break;
      }
      case Shape::none:
        break;
    }
  }

  void add_loops_and_parallels() {
    const auto n = static_cast<std::uint64_t>(p_.n);
    for (std::uint64_t i = one_in(5) ? 1 + random_.below(3) : 0; i > 0; --i) {
      const auto v = static_cast<std::int64_t>(random_.below(n));
      add(v, v);
    }
    for (std::uint64_t i = one_in(4) && !p_.edges.empty() ? 1 + random_.below(4) : 0; i > 0; --i) {
      const Edge& edge = p_.edges[random_.below(p_.edges.size())];
      const std::int64_t from = edge.from, to = edge.to;
      add(from, to);
    }
  }

  /// Arcs below zero: by potentials, which make no negative cycle, or by chance.
  void turn_signs() {
    const bool potentials = p_.directed && p_.semiring == Semiring::min_plus && !one_in(8);
    std::vector<double> height(static_cast<std::size_t>(p_.n));
    for (double& h : height) h = static_cast<double>(random_.below(200));
    for (Edge& edge : p_.edges) {
      if (potentials) {
        edge.weight += height[edge.from] - height[edge.to];
      } else if (one_in(p_.semiring == Semiring::min_plus ? 20 : 3)) {
        edge.weight = -edge.weight;
      }
    }
  }

  void choose_form() {
    if (!one_in(5)) return;
    double greatest = 0;
    bool negative = false;
    for (const Edge& edge : p_.edges) {
      greatest = std::max(greatest, std::abs(edge.weight));
      negative = negative || edge.weight < 0 || std::signbit(edge.weight);
    }
    std::vector<ValueType> types = {ValueType::f64};
    if (greatest < std::numeric_limits<float>::max()) types.push_back(ValueType::f32);
    if (whole() && greatest < (1 << 30) - 1) types.push_back(ValueType::i32);
    if (whole() && greatest < (1 << 15) - 1 && !negative) types.push_back(ValueType::u16);
    p_.matrix = types[random_.below(types.size())];
    // The narrowed weights of a symmetric graph stay symmetric, and loops below zero stay as they
    // are in every form.
  }

  void choose_way() {
    p_.algorithm =
        pick({Algorithm::automatic, Algorithm::floyd_warshall, Algorithm::nested_dissection,
              Algorithm::johnson, Algorithm::breadth_first, Algorithm::boundary});
    if (one_in(2)) {
      p_.type = pick({ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16});
      if (!whole() && one_in(2)) p_.type = ValueType::f64;
    }
    // The oracle counts the edges of every path that f32 rounds.
    const bool slow = p_.n > 90 && p_.type == ValueType::f32;
    if (p_.semiring == Semiring::or_and || slow) p_.type = std::nullopt;
    p_.gpus = one_in(5) ? static_cast<int>(1 + random_.below(3)) : 0;
    p_.threads = static_cast<int>(1 + random_.below(one_in(4) ? 4 : 1));
    if (one_in(4)) p_.tile = pick<std::int64_t>({8, 16, 40, 48, 64});
    if (p_.gpus > 0 && one_in(3)) p_.device_memory = std::int64_t{1} << (14 + random_.below(10));
    if (one_in(12)) p_.memory = std::int64_t{1} << (16 + random_.below(12));
    p_.tolerance = pick({1e-5, 1e-5, 1e-7, 0.0});
    p_.keep = pick({Keep::automatic, Keep::automatic, Keep::matrix, Keep::factor});
    if (p_.question == Question::factor) p_.keep = Keep::factor;
    if (of_a_job()) {
      p_.grid_rows = static_cast<int>(1 + random_.below(3));
      p_.grid_columns = static_cast<int>(1 + random_.below(p_.grid_rows == 3 ? 2 : 3));
    }
    if (near()) {
      p_.algorithm = pick({Algorithm::automatic, Algorithm::johnson, Algorithm::nested_dissection});
    }
  }

  /// Some vertices, each once.
  std::vector<Vertex> some(bool none_too) {
    std::vector<Vertex> all(static_cast<std::size_t>(p_.n));
    std::iota(all.begin(), all.end(), Vertex{0});
    if (all.empty() || (none_too && one_in(2))) return {};
    const std::size_t count = 1 + random_.below(std::min<std::uint64_t>(all.size(), 20));
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(all[i], all[i + random_.below(all.size() - i)]);
    }
    all.resize(count);
    return all;
  }

  void choose_lists() {
    const bool listed = asks({Question::within, Question::access, Question::betweenness});
    const bool table =
        asks({Question::rows, Question::statistics, Question::stored, Question::job});
    if (listed || table) p_.sources = some(true);
    if (table) p_.targets = some(true);
    if (p_.question == Question::nearest) p_.targets = some(false);
    p_.limit = static_cast<double>(random_.below(pick<std::uint64_t>({2, 30, 300, 100000})));
    const bool ends_early = asks({Question::resumed, Question::job_resumed});
    p_.count = static_cast<std::int64_t>(1 + random_.below(ends_early ? 40 : 4));
  }

  void choose_changes() {
    if (!asks({Question::update, Question::job_update, Question::removed})) return;
    const auto changes = p_.question == Question::removed ? 1 : 1 + random_.below(5);
    for (std::uint64_t i = 0; i < changes; ++i) {
      if (!p_.edges.empty() && !one_in(4)) {
        Edge edge = p_.edges[random_.below(p_.edges.size())];
        const bool remove = p_.question == Question::removed || one_in(4);
        const auto same = [&](const Edge& other) {
          return other.from == edge.from && other.to == edge.to;
        };
        if (std::any_of(p_.changes.begin(), p_.changes.end(), same)) continue;
        edge.weight = remove ? std::numeric_limits<double>::infinity() : whole_weight();
        p_.changes.push_back(edge);
      } else if (p_.n > 0 && p_.question != Question::removed) {
        const auto n = static_cast<std::uint64_t>(p_.n);
        p_.changes.push_back({static_cast<Vertex>(random_.below(n)),
                              static_cast<Vertex>(random_.below(n)), whole_weight()});
      }
    }
  }

  Lots& random_;
  Problem p_;
  Weights weights_ = Weights::small;
  Shape shape_ = Shape::random;
  double centre_ = 0;  // of the exponents of close weights
};

Problem drawn(std::uint64_t seed, std::optional<Question> question) {
  SeededLots lots(seed);
  return Draw(lots, seed, question).problem();
}

}  // namespace

Problem draw(Lots& lots, std::uint64_t seed) { return Draw(lots, seed, std::nullopt).problem(); }
Problem draw(std::uint64_t seed) { return drawn(seed, std::nullopt); }
Problem draw(std::uint64_t seed, Question question) { return drawn(seed, question); }

}  // namespace apsp::campaign
