# Not tested.
class Apsp < Formula
  desc "All-pairs shortest paths: plan, solve, verify, paths, statistics"
  homepage "HOMEPAGE_URL"
  url "ARCHIVE_URL"
  sha256 "ARCHIVE_SHA256"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "libosmium" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "bzip2"
  depends_on "expat"
  depends_on "fmt"
  depends_on "highway"
  depends_on :linux
  depends_on "metis"
  depends_on "snappy"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DAPSP_UNITY=ON", "-DAPSP_SHARED=ON",
           "-DAPSP_CUDA=OFF", "-DAPSP_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"apsp", "generate", "grid", "city.gr", "--vertices", "400"
    system bin/"apsp", "solve", "city.gr", "--verify"
  end
end
