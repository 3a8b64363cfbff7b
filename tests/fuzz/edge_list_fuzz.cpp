// The reader of edge lists, and its two ways through the rows.
#include "edge_list_ways.hpp"
#include "round_trip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  apsp::fuzz::check_reader(data, size, apsp::GraphFormat::edge_list);
  apsp::fuzz::check_edge_list_ways(data, size);
  return 0;
}
