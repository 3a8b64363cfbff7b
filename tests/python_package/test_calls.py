"""The extension by itself: its threads, its import, what its wheel asks of a system, and signals."""

import platform
import re
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import apsp
from apsp import _apsp


def matrix(n, seed=1):
    """Weights [n, n] that are integers; a third of all pairs are edges."""
    random = np.random.default_rng(seed)
    weights = random.integers(1, 100, (n, n)).astype(float)
    weights[random.random((n, n)) > 0.3] = np.inf
    np.fill_diagonal(weights, 0)
    return weights


def test_another_thread_runs_while_a_matrix_is_solved():
    steps = 0
    solving = threading.Event()

    def count():
        nonlocal steps
        while solving.is_set():
            steps += 1
            time.sleep(0.001)

    solving.set()
    thread = threading.Thread(target=count)
    thread.start()
    _apsp.floyd_warshall_in_place(matrix(1200), threads=1)
    solving.clear()
    thread.join()
    assert steps > 10


def test_import_is_quick_and_takes_no_numpy():
    code = ("import sys, time; t = time.process_time(); import apsp; "
            "print(time.process_time() - t, 'numpy' in sys.modules, 'scipy' in sys.modules)")
    times = []
    for _ in range(5):
        words = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        assert words[1:] == ["False", "False"]
        times.append(float(words[0]))
    assert min(times) < 0.1


@pytest.mark.skipif(shutil.which("readelf") is None or platform.libc_ver() > ("glibc", "2.36"),
                    reason="binutils and a glibc of up to 2.36 are needed")
def test_extension_asks_for_no_newer_system_than_its_wheel_promises():
    told = subprocess.run(["readelf", "-VW", _apsp.__file__], capture_output=True, text=True, check=True).stdout
    for library, newest in (("GLIBC", (2, 34)), ("GLIBCXX", (3, 4, 29)), ("CXXABI", (1, 3, 13))):
        asked = re.findall(rf"\b{library}_([0-9.]+)", told)
        assert max(tuple(map(int, version.split("."))) for version in asked) <= newest


def test_signals_are_delivered_again_where_the_system_gives_no_thread():
    program = """
import ctypes, resource, signal
import apsp
graph = apsp.generate("gnp", 5000)
libc = ctypes.CDLL(None)
stacks = ctypes.create_string_buffer(64)
libc.pthread_attr_init(stacks)
libc.pthread_attr_setstacksize(stacks, ctypes.c_size_t(1 << 30))
libc.pthread_setattr_default_np(stacks)
with open("/proc/self/statm") as statm:
    addresses = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (addresses + (500 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))
for attempt in (lambda: next(apsp.rows(graph)), lambda: apsp.solve(graph)):
    try:
        attempt()
        raise SystemExit("a thread was given")
    except OSError:
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
