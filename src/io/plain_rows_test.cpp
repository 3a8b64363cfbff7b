// Edges and errors do not depend on pieces and threads.
#include "io/plain_rows.hpp"

#include "base/random.hpp"
#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::plain_rows_test {
namespace {

constexpr std::int64_t kVertices = 1000;

struct Taken {
  std::vector<Edge> edges;  // sorted
  std::ptrdiff_t reached;
  bool numbered;  // every row knew its number
};

Taken take(const std::string& text, int threads, std::ptrdiff_t piece_bytes = 1 << 19,
           std::size_t most = RowArcs::kUnlimited, std::size_t rows_before = 0) {
  const ReadOptions options{.threads = threads};
  ReadProgress progress(options.control, text.size());
  const std::string name = "test";
  const Source source{text, name, options, progress};
  TextCursor cursor(source);
  std::mutex mutex;
  Taken taken = {{}, 0, true};
  const auto row_of = [&](TextCursor& at, std::size_t row, RowEdges& edges) {
    const Edge edge = read_counted_edge(at, kVertices, false);
    edges.add(edge.from, edge.to, edge.weight);
    const std::lock_guard lock(mutex);
    const auto before = std::count(text.data(), at.at() - 1, '\n');
    taken.numbered = taken.numbered && row == rows_before + static_cast<std::size_t>(before);
    return true;
  };
  RowArcs rows(cursor, {.numbered = true, .piece_bytes = piece_bytes}, row_of);
  for (std::size_t i = 0; i < rows_before; ++i) rows.add_row({});
  rows.append(cursor, most);
  for (const graph::ArcChunk* chunk : rows.arcs()->chunks()) {
    chunk->for_each_arc([&](Vertex from, Vertex to, auto) {
      taken.edges.push_back({from, to, 1});
    });
  }
  std::ranges::sort(taken.edges, {},
                    [](const Edge& edge) { return std::pair(edge.from, edge.to); });
  EXPECT_EQ(rows.rows(), rows_before + taken.edges.size());
  taken.reached = cursor.at() - text.data();
  return taken;
}

std::string rows_of_text(std::size_t rows) {
  base::SplitMix64 random(rows);
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    text += std::to_string(1 + random.below(kVertices)) + " " +
            std::to_string(1 + random.below(kVertices)) + "\n";
  }
  return text;
}

bool same(const Edge& a, const Edge& b) {
  return a.from == b.from && a.to == b.to && a.weight == b.weight;
}

void expect_same(const Taken& a, const Taken& b) {
  EXPECT_TRUE(a.numbered);
  EXPECT_EQ(a.reached, b.reached);
  ASSERT_EQ(a.edges.size(), b.edges.size());
  EXPECT_TRUE(std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), same));
}

TEST(PlainRows, AreTheSameForAllPiecesAndThreads) {
  for (const std::size_t rows : {0, 1, 2, 7, 100}) {
    for (const std::string tail : {"", "3 4", "\n", "# end\n", "1 2 3\n", "5 x\n5 6\n", "0 1\n"}) {
      const std::string text = rows_of_text(rows) + tail;
      const Taken whole = take(text, 1);
      EXPECT_EQ(whole.edges.size(), rows + (tail == "3 4" ? 1 : 0));
      for (const std::ptrdiff_t piece_bytes : {1, 5, 64, 300}) {
        for (const int threads : {1, 2}) expect_same(take(text, threads, piece_bytes), whole);
      }
    }
  }
}

TEST(PlainRows, EndAtTheMostEdgesAskedFor) {
  const std::string text = rows_of_text(500);
  for (const std::size_t most : {0, 1, 17, 499, 500, 501}) {
    const Taken whole = take(text, 1, 1 << 19, most);
    EXPECT_EQ(whole.edges.size(), std::min<std::size_t>(most, 500));
    for (const std::ptrdiff_t piece_bytes : {1, 50, 300}) {
      expect_same(take(text, 2, piece_bytes, most), whole);
    }
  }
}

TEST(PlainRows, AreCountedBehindThoseThatAreThere) {
  const Taken taken = take("3 4\n5 6\n7 8\n", 2, 1, 3, 1);
  ASSERT_EQ(taken.edges.size(), 2u);
  EXPECT_TRUE(same(taken.edges[0], {2, 3, 1.0}));
  EXPECT_TRUE(same(taken.edges[1], {4, 5, 1.0}));
  EXPECT_TRUE(taken.numbered);
}

/// Texts of several pieces in the real formats, with a fault in the middle of the last of them.
TEST(PlainRows, LeaveTheFirstErrorToTheCarefulReader) {
  constexpr std::int64_t kRows = 400'000;  // some 4 MB: pieces for every thread
  for (const bool dimacs : {false, true}) {
    const std::string sign = dimacs ? "a " : "";
    std::string text = dimacs ? "p sp 9 400002\n"
                              : "%%MatrixMarket matrix coordinate integer general\n9 9 400002\n";
    for (std::int64_t i = 0; i < kRows; ++i) text += sign + "1 2 345\n";
    const std::int64_t line = kRows + (dimacs ? 2 : 3);
    text += sign + "1 10 3\n" + sign + "1 0 3\n";
    for (const int used : {1, 2, 5}) {
      ReadOptions options;
      options.threads = used;
      EXPECT_EQ(failing_at(text, dimacs ? "x.gr" : "x.mtx", options),
                fmt::format("{}:{}", line, dimacs ? 5 : 3));
    }
  }
}

/// Rows of names with quotes and comments between them: all threads read some, one thread the
/// others.
std::string rows_of_names(int rows, const std::string& odd) {
  base::SplitMix64 random(5);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    if (i % 30'000 == 29'999) text += odd;
    text += fmt::format("person_{} p{} {}\n", random.below(9000), random.below(70'000), i % 50);
  }
  return text;
}

TEST(PlainRows, OfNamesAreTheSameForAllThreads) {
  for (const std::string odd : {"", "# words\n", "\"a b\" c 3\n", "\n"}) {
    const std::string text = rows_of_names(150'000, odd);  // some 3 MB
    ReadOptions options;
    options.threads = 1;
    const Graph one = parse(text, "x.txt", options);
    EXPECT_EQ(one.name(0), text.substr(0, text.find(' ')));
    for (const int threads : {2, 5}) {
      options.threads = threads;
      EXPECT_EQ(parse(text, "x.txt", options).digest(), one.digest()) << odd;
    }
    EXPECT_EQ(one.edge_count(), 150'000 + (odd[0] == '"' ? 5 : 0));
    EXPECT_THAT(failure(text + "a b\n", "x.txt", options), testing::HasSubstr("2 columns"));
  }
}

/// The graph does not depend on the reader: all threads, one thread, or row by row because of
/// leading blanks.
TEST(PlainRows, OfEveryFormatMakeTheSameGraph) {
  const std::string rows = rows_of_text(300'000);
  std::string systems, neighbours = "1000 0\n", counted;
  for (const char c : rows) systems += c == ' ' ? "|" : c == '\n' ? "|-1\n" : std::string(1, c);
  for (int v = 1; v <= 1000; ++v) neighbours += "\n";
  for (int i = 0; i < 200'000; ++i) counted += fmt::format("{},{},{},2.5\n", i, i % 500, i % 77);
  const std::string size = "1000 1000 300000\n";
  const std::pair<std::string, std::string> files[] = {
      {"x.txt", rows},
      {"x.mtx", "%%MatrixMarket matrix coordinate pattern general\n" + size + rows},
      {"x.as-rel.txt", systems},
      {"x.graph", neighbours},
      {"x.csv", counted}};
  for (const auto& [name, text] : files) {
    ReadOptions options;
    options.threads = 1;
    const Graph one = parse(text, name, options);
    for (const int threads : {2, 7}) {
      options.threads = threads;
      EXPECT_EQ(parse(text, name, options).digest(), one.digest()) << name;
    }
  }
}

}  // namespace
}  // namespace apsp::io::plain_rows_test
