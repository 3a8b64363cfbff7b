"""What a rival in Python needs: the network of a question, and `main`, which asks the question and prints times and memory.

A rival passes functions that have the names of the questions it answers. Each takes a `Network`, prepares
whatever the package needs, and returns a function of the question's numbers. That one returns the answer as an array,
or a function that makes the array: what it does is not counted. `rows` answers for `row` and `all_pairs`, and
`all_pairs` for `dense`, where these are not passed.
"""
import importlib.metadata
import json
import pathlib
import re
import sys
import time

import numpy as np


class Network:
    """A directed graph with vertices from 0: tails, heads and weights of its arcs, and x and y of its vertices."""

    def __init__(self, folder):
        text = (folder / "graph.gr").read_text()
        self.n = int(re.search(r"^p sp (\d+)", text, re.M)[1])
        arcs = np.array(text[text.index("\na ") + 1:].replace("a ", "").split(), np.int64).reshape(-1, 3)
        self.tails, self.heads, self.weights = arcs[:, 0] - 1, arcs[:, 1] - 1, arcs[:, 2]
        self.x, self.y = np.loadtxt(folder / "graph.co", usecols=(2, 3), ndmin=2).T

    def csr(self):
        from scipy.sparse import coo_array
        return coo_array((self.weights.astype(float), (self.tails, self.heads)), shape=(self.n, self.n)).tocsr()

    def matrix(self):
        """Weights as a dense matrix, 0 on its diagonal and infinity where no arc is."""
        matrix = np.full((self.n, self.n), np.inf)
        matrix[self.tails, self.heads] = self.weights
        np.fill_diagonal(matrix, 0)
        return matrix


def main(package, *questions, version=None):
    """Answers the question of the command line, which compare.py gives; exit code 3: not one of `questions`."""
    asked, folder, answer = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    known = {question.__name__: question for question in questions}
    prepare = asked
    while prepare not in known:
        prepare = {"row": "rows", "dense": "all_pairs", "all_pairs": "rows"}.get(prepare) or sys.exit(3)
    network, numbers = Network(folder), np.loadtxt(folder / f"{asked}.txt", dtype=np.int64, ndmin=1)
    if prepare == "rows" and asked not in ("row", "rows"):
        numbers = np.arange(network.n)
    cpu = [time.process_time()]
    ask = known[prepare](network)
    cpu.append(time.process_time())
    found = ask(numbers)
    cpu.append(time.process_time())
    peak = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path("/proc/self/status").read_text())[1]) * 1024
    np.asarray(found() if callable(found) else found, np.float64).tofile(answer)
    print(json.dumps({"version": version or importlib.metadata.version(package), "prepare": cpu[1] - cpu[0],
                      "answer": cpu[2] - cpu[1], "memory": peak}))
