#include "io/npy.hpp"

#include <fmt/format.h>

#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::npy_test {
namespace {

std::string with_dictionary(const std::string& dictionary, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0', static_cast<char>(dictionary.size()), '\0'};
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + dictionary;
}

std::string refusal(const std::string& bytes) {
  const Error error = error_of([&] { parse_npy_header(bytes, "m.npy"); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.location().file, "m.npy");
  return error.what();
}

TEST(NpyHeader, WhatIsWrittenIsRead) {
  for (const std::int64_t rows : {0, 1, 7, 1000000000}) {
    const std::string text = format_npy_header("<f4", rows, 5);
    EXPECT_EQ(text.size() % 64, 0u);
    EXPECT_EQ(text.back(), '\n');
    const NpyHeader header = parse_npy_header(text, "m.npy");
    EXPECT_EQ(header.kind, 'f');
    EXPECT_EQ(header.item_size, 4);
    EXPECT_FALSE(header.fortran_order);
    EXPECT_THAT(header.shape, ElementsAre(rows, 5));
    EXPECT_EQ(header.data_offset, text.size());
  }
}

TEST(NpyHeader, ReadsOtherSpellingsAndVersions) {
  const std::string dictionary = "{\"shape\":(3,) ,'descr': '|u1','fortran_order' : True}\n";
  for (const char version : {'\1', '\2', '\3'}) {
    const NpyHeader header = parse_npy_header(with_dictionary(dictionary, version), "m.npy");
    EXPECT_EQ(header.kind, 'u');
    EXPECT_TRUE(header.fortran_order);
    EXPECT_THAT(header.shape, ElementsAre(3));
  }
  for (const char* const order : {"<f8", ">f8", "|f8", "=f8", ">u1"}) {
    const std::string wide =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (2, 2)}}", order);
    EXPECT_EQ(parse_npy_header(with_dictionary(wide), "m.npy").swapped,
              order == std::string(">f8"));
  }
  const std::string scalar = "{'descr': '<i4', 'fortran_order': False, 'shape': ()}";
  EXPECT_TRUE(parse_npy_header(with_dictionary(scalar), "m.npy").shape.empty());
}

TEST(NpyHeader, RefusesWhatItCannotMean) {
  const std::string rest = ", 'fortran_order': False, 'shape': (2, 2)}";
  expect_failures(refusal,
                  {{"PK\x03\x04", "magic"},
                   {std::string("\x93NUMPY\x01\0\x50", 9), "ends within"},
                   {std::string("\x93NUMPY\x01\0\x50\0{'descr", 17), "ends within"},
                   {std::string("\x93NUMPY\x02\0\0\0\0\x7F", 12), "64 KiB"},
                   {with_dictionary("{}", 9), "version 9"},
                   {with_dictionary("{'descr': 'f'" + rest), "unknown type 'f'"},
                   {with_dictionary("{'descr': '<f-4'" + rest), "unknown type"},
                   {with_dictionary("{'descr': [('a', '<f4')]" + rest), "records"},
                   {with_dictionary("{'descr': '<f4'}"), "missing"},
                   {with_dictionary("{'descr': '<f4'" + rest + "x"), "after the dictionary"},
                   {with_dictionary("{'descr': '<f4', 'colour': 'red'}"), "unknown key 'colour'"},
                   {with_dictionary("{'descr': '<f4', 'shape': (2, -2)}"), "shape"},
                   {with_dictionary("{'fortran_order': 1}"), "fortran_order"},
                   {with_dictionary("{'descr"), "quotation mark"},
                   {with_dictionary("[]"), "expected '{'"}});
}

}  // namespace
}  // namespace apsp::io::npy_test
