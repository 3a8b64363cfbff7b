# Not tested. nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "apsp";
  version = "0.2.0";
  src = pkgs.lib.cleanSource ../..;
  nativeBuildInputs = with pkgs; [ cmake ninja ];
  buildInputs = with pkgs; [ bzip2 cli11 expat fmt libhwy libosmium metis nlohmann_json protozero snappy xz zlib zstd ];
  cmakeFlags = [ "-DAPSP_UNITY=ON" "-DAPSP_SHARED=ON" "-DAPSP_CUDA=OFF" "-DAPSP_BUILD_TESTS=OFF" ];
  postPatch = "patchShebangs scripts";
  meta = {
    description = "All-pairs shortest paths: plan, solve, verify, paths, statistics";
    homepage = "HOMEPAGE_URL";
    license = pkgs.lib.licenses.asl20;
    mainProgram = "apsp";
    platforms = pkgs.lib.platforms.linux;
  };
}
