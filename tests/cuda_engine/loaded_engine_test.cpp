// The loader of the CUDA engine: what it takes, what it refuses and says then, and a solve through
// an engine that it loaded.
#include <apsp/graph.hpp>
#include <apsp/solve.hpp>

#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/loaded_engine.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::kernels::cuda::loaded_engine_test {
namespace {

/// The first test that looks decides for all of them.
const bool is_named = setenv("APSP_CUDA_ENGINE", APSP_STRICT_ENGINE, 1) == 0;

TEST(LoadedEngine, AVersionThatDiffersIsRefused) {
  const LoadedEngine found = load_engine({APSP_OLDER_ENGINE});
  EXPECT_EQ(found.engine, nullptr);
  EXPECT_THAT(found.why_none, AllOf(StartsWith("no CUDA engine: "), HasSubstr(APSP_OLDER_ENGINE),
                                    HasSubstr("of apsp 0.0.9, and this is apsp " APSP_VERSION),
                                    HasSubstr("apsp-cuda13 " APSP_VERSION)));
}

TEST(LoadedEngine, AnotherBuildOfTheSameVersionIsRefused) {
  const LoadedEngine found = load_engine({APSP_OTHER_ENGINE});
  EXPECT_EQ(found.engine, nullptr);
  EXPECT_THAT(found.why_none, HasSubstr("another build of apsp " APSP_VERSION));
}

TEST(LoadedEngine, WithoutOneTheAdviceIsWhatAddsIt) {
  const LoadedEngine found = load_engine({"/nowhere/libapsp_cuda.so", "/else/libapsp_cuda.so"});
  EXPECT_EQ(found.engine, nullptr);
  EXPECT_THAT(found.why_none, HasSubstr("apsp-cuda13"));
}

TEST(LoadedEngine, AFileThatIsNamedHasToBeThere) {
  EXPECT_THAT(load_engine({"/nowhere/engine.so"}).why_none,
              HasSubstr("/nowhere/engine.so: cannot"));
}

TEST(LoadedEngine, WhatIsNoEngineIsRefused) {
  const TemporaryFolder folder;
  const std::string text = folder / "text.so";
  write_bytes(text, "no library\n");
  EXPECT_THAT(load_engine({text}).why_none, HasSubstr(text));
  EXPECT_THAT(load_engine({"libm.so.6"}).why_none, HasSubstr("libm.so.6 is none"));
}

TEST(LoadedEngine, TheFirstThatFitsIsTaken) {
  const LoadedEngine found =
      load_engine({"/nowhere/libapsp_cuda.so", APSP_OLDER_ENGINE, APSP_STRICT_ENGINE});
  ASSERT_NE(found.engine, nullptr) << found.why_none;
  EXPECT_EQ(found.file, APSP_STRICT_ENGINE);
  EXPECT_EQ(found.engine->back_end(), "strict devices");
}

TEST(LoadedEngine, IsLookedForWhereTheVariableSaysElseBesideTheLibrary) {
  EXPECT_THAT(engine_files(), ElementsAre(APSP_STRICT_ENGINE));
  unsetenv("APSP_CUDA_ENGINE");
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  EXPECT_THAT(engine_files(),
              ElementsAre((here / "libapsp_cuda.so").string(),
                          (here.parent_path() / "apsp_cuda13/libapsp_cuda.so").string(),
                          "libapsp_cuda.so"));
  setenv("APSP_CUDA_ENGINE", APSP_STRICT_ENGINE, 1);
}

TEST(LoadedEngine, SolvesAsTheCpuDoes) {
  EXPECT_EQ(back_end(), "strict devices, " APSP_STRICT_ENGINE);
  ASSERT_EQ(devices().size(), 2u);
  const Graph graph = generate({.vertices = 61, .probability = 0.1});
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall, .tile = 16},
                       .machine = {.device = Device::cuda}};
  const Result there = solve(graph, options);
  options.machine.device = Device::cpu;
  const Result here = solve(graph, options);
  ASSERT_TRUE(there.report().on_device);
  for (Vertex s = 0; s < here.vertex_count(); ++s) {
    EXPECT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
  }
}

TEST(LoadedEngine, ItsErrorsAreThoseOfTheLibrary) {
  const auto device = make_device(0, Semiring::min_plus, ValueType::f32, Sign::non_negative, 4096);
  EXPECT_ERROR(does_not_fit, device->allocate(1 << 20));
  const Error error = error_of([] { multiply_add_compiled({"min", "+"}, {}); });
  EXPECT_STREQ(error.what(), "strict devices compile nothing");
  EXPECT_ERROR(usage, multiply_add_compiled({"least", "+"}, {}));
}

}  // namespace
}  // namespace apsp::kernels::cuda::loaded_engine_test
