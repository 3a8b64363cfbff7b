#!/bin/bash -eu
# Builds every target of tests/fuzz as OSS-Fuzz expects it: programs in $OUT, seeds and words next to each. OSS-Fuzz
# sets CXX, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT. TARGETS: only these.
# The libraries of the distribution are compiled with its standard library, so the targets are, too.
cd "$SRC/apsp"
cmake --preset fuzz -B "$WORK/fuzz" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_CXX_FLAGS="${CXXFLAGS/-stdlib=libc++/} -ffunction-sections" -DAPSP_SANITIZE= -DAPSP_CUDA=OFF -DAPSP_CCACHE=OFF \
  -DAPSP_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
mkdir -p "$OUT/lib"
for seeds in tests/fuzz/corpus/*/; do
  target=$(basename "$seeds")
  case " ${TARGETS:-$target} " in *" $target "*) ;; *) continue ;; esac
  cmake --build "$WORK/fuzz" -j "$(nproc)" --target "apsp_fuzz_$target"
  program=$OUT/apsp_fuzz_$target
  cp "$WORK/fuzz/bin/apsp_fuzz_$target" "$OUT/"
  # A runner has no packages: what the program needs travels with it.
  ldd "$program" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|pthread|rt)\.so/ {print $3}' | xargs -r cp -n -t "$OUT/lib"
  patchelf --set-rpath '$ORIGIN/lib' "$program"
  (cd "$seeds" && zip -q -r "${program}_seed_corpus.zip" .)
  cp tests/fuzz/tokens.dict "$program.dict"
done
