#include <apsp/error.hpp>

#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/byte_stream.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/report.hpp"

namespace apsp::fuzz {

void check_messages(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  // Bytes of a process that says something else: the reader's own error, a defect.
  const auto read = [&](auto fields) {
    try {
      base::read_fields(bytes, fields);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::defect) report(error.what());
    } catch (const std::exception& other) {
      report(std::string("an exception that is no Error: ") + other.what());
    }
  };
  std::string text;
  std::vector<std::string> texts;
  std::vector<double> numbers;
  std::int64_t count = 0;
  read(std::tie(text, count));
  read(std::tie(texts));
  read(std::tie(count, numbers, texts));
  // What was written comes back.
  const base::ByteVector again = base::bytes_of(std::tie(texts, numbers, text, count));
  std::vector<std::string> texts_again;
  std::vector<double> numbers_again;
  std::string text_again;
  std::int64_t count_again = 0;
  base::read_fields(again, std::tie(texts_again, numbers_again, text_again, count_again));
  if (texts_again != texts || text_again != text || count_again != count) {
    report("other values came back");
  }
}

}  // namespace apsp::fuzz
