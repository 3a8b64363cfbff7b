#!/usr/bin/env python3
"""Figure 2 of Schiff on one host: the plain loops by one thread and by all, for n = 500 to 5,000.

  bench/papers/plain_loops.py [BUILD]

BUILD (build/gpu) holds bin/peers/peer_plain_k_loop. Each graph has 20 random arcs a vertex, weights 1 … 100. As
many runs of one thread as there are cores take place at the same time, and share the memory. Those of all threads
follow. Prints seconds, f32, conversions left out. Ends with 1 where the two results differ. The GPU's seconds of
the same sizes: apsp_cuda_baselines --vertices LIST --overheads LIST."""

import array
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SIZES = range(500, 5001, 500)


def write_graph(path, n):
    draw = random.Random(n)
    matrix = array.array("d", [float("inf")]) * (n * n)
    for tail in range(n):
        for _ in range(20):
            matrix[tail * n + draw.randrange(n)] = draw.randint(1, 100)
        matrix[tail * n + tail] = 0
    path.write_bytes(matrix.tobytes())


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/gpu", "bin/peers/peer_plain_k_loop")
    cores, differs = os.cpu_count(), False
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(cores) as pool:
        def seconds(n, threads):
            words = ["f32", f"{folder}/{n}", f"{folder}/{n}.{threads}", n, threads, 1]
            done = subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True)
            return json.loads(done.stdout)["seconds"][0]

        for n in SIZES:
            write_graph(pathlib.Path(folder, str(n)), n)
        ones = list(pool.map(lambda n: seconds(n, 1), SIZES))
        for n, one in zip(SIZES, ones):
            print(f"{n:5}  one thread {one:8.3f} s  {cores} threads {seconds(n, cores):8.4f} s", flush=True)
            results = [pathlib.Path(folder, f"{n}.{threads}").read_bytes() for threads in (1, cores)]
            differs |= results[0] != results[1]
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
