"""Whole solves by one GPU, by N GPUs of one process, and by N processes with a GPU each:

  python3 bench/gpus_solves.py APSP --gpus N [--runs 2] [--only NAME]... [--bar SHARE] [--output FILE]

Each row makes a random graph and solves it on 1 and on N GPUs, and with `mpirun` where there is one. Closures are also
solved through less memory of each GPU, and meshes by all threads of the host first. A line shows the seconds of what
comes before the solve, as the elimination, those on the devices, the share of N times the first rate, the seconds of the
whole process by the clock and the plan's prediction of the solve. The best of --runs counts. Statistics must be equal to
those of the first way, and less memory must be streamed through; closures of 32,768 vertices are verified besides. Exit 1 if they differ, a solve fails, or less memory leaves less than --bar of the same GPUs' rate."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import asked, timed

LIMIT = 240  # s, for one solve
MESH = pathlib.Path(__file__).resolve().parent / "sparse/mesh"
# Name: words of `apsp generate`, or of bench/sparse/mesh, then words of `apsp solve`; for less memory, more of them.
ROWS = {
    "sweeps, roads": ("roads --vertices 1280000 --undirected", "--algorithm nested-dissection"),
    "sweeps, 90,000": ("grid --vertices 90000 --undirected", "--algorithm nested-dissection"),
    "near-far, R-MAT": ("rmat --vertices 80000 --edges 1024000", "--algorithm johnson"),
    "breadth-first, R-MAT": ("rmat --vertices 200000 --edges 2400000 --weights 1:1", "--algorithm bfs"),
    "closure": ("gnp --vertices 65536 --probability 0.00003", "--algorithm floyd-warshall --semiring or-and"),
    **{f"closure in {memory}": (f"gnp --vertices {n} --probability {1.5 / n:.8f}", f"--algorithm floyd-warshall --semiring or-and{verify}",
                                memory) for n, memory, verify in ((32768, "64MiB", " --verify"), (131072, "1GiB", ""), (262144, "4GiB", ""))},
    **{f"mesh {side}": (f"mesh {side}", "--algorithm nested-dissection") for side in (30, 54)},
    "matrix, f32": ("gnp --vertices 32768 --probability 0.002", "--algorithm floyd-warshall --dtype f32"),
    "matrix, via": ("gnp --vertices 32768 --probability 0.002", "--algorithm floyd-warshall --dtype f32 --via -o OUT.zarr"),
    "matrix, on disk": ("gnp --vertices 32768 --probability 0.002",
                        "--algorithm floyd-warshall --dtype f32 --memory 3GiB -o OUT.npy"),
}


def solved(command, folder):
    """(seconds of the process, its answer as a dictionary)."""
    for left in folder.glob("OUT.*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    run, (seconds, _) = timed(lambda: subprocess.run(["timeout", str(LIMIT), *command], cwd=folder, capture_output=True,
                                                     text=True))
    if run.returncode != 0:
        raise ValueError(f"exit {run.returncode}: {' '.join(command)}\n{run.stderr.strip()[-500:]}")
    return seconds, json.loads(run.stdout)


def on_devices(answer):
    """Seconds of the solve on the devices, or of the solve where the report does not tell them apart."""
    report = answer["report"]
    return (report.get("on_device") or {}).get("seconds") or report["seconds_solve"]


def lines_of(name, made, words, options, folder, launch, memory=None):
    """Yields a line of the table for each way to use the GPUs, and whether it is right and fast enough."""
    kind, *shape = made.split()
    maker = [MESH, *shape, "g.gr"] if kind == "mesh" else [options.apsp, "generate", kind, "g.gr", *shape, "--quiet"]
    subprocess.run(maker, cwd=folder, check=True)
    solve = [options.apsp, "solve", "g.gr", *words.split(), "--json", "--quiet", "--device"]
    ways = {"all threads of the host": (1, solve + ["cpu"])} if kind == "mesh" else {}
    for count in sorted({1, options.gpus}):
        title = "one GPU" if count == 1 else f"{count} GPUs, one process"
        ways[title] = count, solve + ["cuda:" + ",".join(map(str, range(count)))]
        if memory:
            ways[f"{title}, {memory}"] = count, [*ways[title][1], "--device-memory", memory]
    if launch and "--memory" not in words:  # the processes of a machine share --memory: each has a quarter
        ways[f"{options.gpus} processes"] = options.gpus, launch + solve + ["cuda"]
    first = before = None
    for way, (count, command) in ways.items():
        try:
            whole, answer = min((solved(command, folder) for _ in range(options.runs)), key=lambda run: on_devices(run[1]))
        except (ValueError, KeyError) as error:
            print(f"{name}, {way}: {error}", file=sys.stderr, flush=True)
            yield f"| {name} | {way} | failed |", False
            continue
        seconds = on_devices(answer)
        first = first or (seconds, answer["statistics"])
        less = bool(memory) and way.endswith(memory)
        same = answer["statistics"] == first[1] and (not less or answer["report"]["on_device"]["streamed"])
        slow = bool(less and before and before < options.bar * seconds)
        before = seconds
        predicted = answer["plan"]["predicted"]
        yield (f"| {name} | {way} | {answer['report']['seconds_prepare']:.3f} | {seconds:.3f} | {first[0] / seconds / count:.1%} | {whole:.2f} | "
               f"{predicted['solve'] + predicted['statistics']:.3f} | {'equal' if same else 'DIFFER'}{', TOO SLOW' * slow} |"), same and not slow


def main():
    options = asked(__doc__, "apsp", gpus=int, runs=2, only=[str], bar=0.0, output=(pathlib.Path,))
    unknown = set(options.only) - set(ROWS)
    if unknown:
        sys.exit(f"no such rows: {', '.join(sorted(unknown))}; there are {', '.join(ROWS)}")
    options.apsp = str(pathlib.Path(options.apsp).resolve())
    launch = []
    if shutil.which("mpirun") and options.gpus > 1 and pathlib.Path(options.apsp).with_name("apsp-mpi").exists():
        launch = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(options.gpus)]
    table = ["| solve | by | prepare, s | on the devices, s | share | whole process, s | predicted solve, s | statistics |",
             "|---|---|---:|---:|---:|---:|---:|---|"]
    print("\n".join(table), flush=True)
    right = True
    for name in options.only or ROWS:
        with tempfile.TemporaryDirectory() as folder:
            made, words, *memory = ROWS[name]
            for line, same in lines_of(name, made, words, options, pathlib.Path(folder), launch, *memory):
                table.append(line)
                right = right and same
                print(line, flush=True)
                if options.output:
                    options.output.write_text("\n".join(table) + "\n")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
