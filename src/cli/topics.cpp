// apsp help TOPIC: pages about more than one verb.
#include "cli/help_pages.hpp"

namespace apsp::cli {

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"formats",
       "Graph formats, recognised by content, then by suffix; plain, .gz or .zst:\n"
       "  .mtx          Matrix Market: a sparse matrix of weights\n"
       "  .gr           DIMACS: arcs of road networks\n"
       "  .csv .tsv .txt  edge lists: from, to, weight\n"
       "  .graph        METIS\n"
       "  .as-rel.txt   CAIDA relations between networks\n"
       "  .npy          NumPy: a dense matrix of weights\n"
       "Results are kept as .zarr (everything in one place) or .npy (only the matrix).\n"
       "More: docs/formats.md and docs/stores.md.\n"},
      {"exit-codes",
       "Exit codes of every verb:\n"
       "  0   done\n"
       "  1   a negative answer: no path, a failed check\n"
       "  2   wrong command line\n"
       "  3   malformed input\n"
       "  4   negative cycle\n"
       "  5   does not fit into memory or on disk\n"
       "  6   files\n"
       "  7   GPU, MPI, or a processor that this build is not for\n"
       "  8   interrupted\n"
       "  70  an error in apsp itself\n"},
      {"environment",
       "Environment variables:\n"
       "  OMP_NUM_THREADS   threads, where --threads does not say\n"
       "  APSP_CACHE_DIR    where measured rates are kept; default: ~/.cache/apsp\n"
       "  APSP_MEASURE      never: plans use assumed rates, nothing is measured\n"
       "  APSP_CUDA_ENGINE  the file of libapsp_cuda.so, where it is not found\n"
       "  NO_COLOR          no colours\n"
       "Of several processes (docs/scaling.md):\n"
       "  APSP_MEETING_SECONDS   how long they wait for each other at the start;\n"
       "                         default: 60\n"
       "  APSP_SILENCE_SECONDS   how long one may give no sign of life before the\n"
       "                         job ends and names it; default: 40; 0: for ever\n"},
  };
  return all;
}

const Topic* find_topic(const std::string& name) {
  for (const Topic& topic : topics()) {
    if (topic.name == name) return &topic;
  }
  return nullptr;
}

}  // namespace apsp::cli
