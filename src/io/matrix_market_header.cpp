#include "io/matrix_market_header.hpp"

#include <fmt/format.h>

#include "io/lower_case.hpp"

namespace apsp::io {
namespace {

/// The banner's words may be in capitals.
struct BannerWord {
  const char* at;
  std::string text;
};

BannerWord take_lower(TextCursor& cursor) {
  cursor.skip_blanks();
  const char* const at = cursor.at();
  return {at, lower_case(cursor.take_word())};
}

void read_banner(TextCursor& cursor, MatrixMarketHeader& header) {
  using Field = MatrixMarketHeader::Field;
  const BannerWord banner = take_lower(cursor);
  if (banner.text != "%%matrixmarket") {
    cursor.fail(banner.at, "a Matrix Market file begins with %%MatrixMarket");
  }
  const BannerWord object = take_lower(cursor);
  if (object.text != "matrix") cursor.fail_expected(object.at, "'matrix'");
  const BannerWord layout = take_lower(cursor);
  header.array = layout.text == "array";
  if (!header.array && layout.text != "coordinate") {
    cursor.fail_expected(layout.at, "'coordinate' or 'array'");
  }
  const BannerWord field = take_lower(cursor);
  if (field.text == "complex") cursor.fail(field.at, "complex numbers are no edge weights");
  if (field.text == "pattern" && header.array) {
    cursor.fail(field.at, "an array has values; 'pattern' goes with 'coordinate'");
  }
  header.field = field.text == "pattern"   ? Field::pattern
                 : field.text == "integer" ? Field::integer
                                           : Field::real;
  if (header.field == Field::real && field.text != "real" && field.text != "double") {
    cursor.fail_expected(field.at, "'real', 'integer' or 'pattern'");
  }
  const BannerWord symmetry = take_lower(cursor);
  header.symmetric = symmetry.text == "symmetric";
  if (symmetry.text == "skew-symmetric" || symmetry.text == "hermitian") {
    cursor.fail(symmetry.at, fmt::format("a {} matrix is no graph with weights: only 'general' "
                                         "and 'symmetric' are",
                                         symmetry.text));
  }
  if (!header.symmetric && symmetry.text != "general") {
    cursor.fail_expected(symmetry.at, "'general' or 'symmetric'");
  }
  cursor.expect_line_end();
}

}  // namespace

bool find_matrix_market_entry(TextCursor& cursor, Annotations& annotations) {
  while (!cursor.at_end()) {
    switch (cursor.peek()) {
      case '\n':
        cursor.skip_line();
        break;
      case '%':
        cursor.take('%');
        annotations.read_comment(cursor);
        break;
      default:
        return true;
    }
  }
  return false;
}

MatrixMarketHeader read_matrix_market_header(TextCursor& cursor, Annotations& annotations) {
  MatrixMarketHeader header;
  read_banner(cursor, header);
  if (!find_matrix_market_entry(cursor, annotations)) {
    cursor.fail_at_end(header.array ? "the size line is missing: ROWS COLUMNS"
                                    : "the size line is missing: ROWS COLUMNS ENTRIES");
  }
  header.size_at = cursor.at();
  header.rows = cursor.expect_vertex_count();
  header.cols = cursor.expect_vertex_count();
  if (!header.array) header.entries = cursor.expect_unsigned("the number of entries");
  cursor.expect_line_end();
  return header;
}

}  // namespace apsp::io
