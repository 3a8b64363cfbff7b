"""The extension by itself: what is computed, what is refused, and Ctrl-C."""

import platform
import re
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from scipy.sparse import csgraph

import apsp
from apsp import _apsp


def matrix(n, seed=1):
    """Weights [n, n] that are integers; a third of all pairs are edges."""
    random = np.random.default_rng(seed)
    weights = random.integers(1, 100, (n, n)).astype(float)
    weights[random.random((n, n)) > 0.3] = np.inf
    np.fill_diagonal(weights, 0)
    return weights


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 200])
def test_matrix_is_solved_in_place(n):
    weights = matrix(n)
    expected = csgraph.floyd_warshall(np.where(np.isinf(weights), 0, weights)) if n else weights
    assert _apsp.floyd_warshall_in_place(weights) is None
    np.testing.assert_array_equal(weights, expected)


@pytest.mark.parametrize("values", [
    np.asfortranarray(matrix(4)), matrix(8)[::2, ::2], matrix(4).astype(np.float32),
    matrix(4).tolist(), matrix(4)[0]], ids=["Fortran", "strided", "float32", "list", "vector"])
def test_layout_that_would_be_copied_is_refused(values):
    pytest.raises(TypeError, _apsp.floyd_warshall_in_place, values)


def test_array_that_may_not_be_written_is_refused():
    values = matrix(4)
    values.flags.writeable = False
    pytest.raises(TypeError, _apsp.floyd_warshall_in_place, values)


def test_matrix_that_is_no_square_is_refused():
    pytest.raises(apsp.UsageError, _apsp.floyd_warshall_in_place, np.ones((2, 3)))


def test_negative_cycle_is_named():
    with pytest.raises(apsp.NegativeCycleError) as caught:
        _apsp.floyd_warshall_in_place(np.array([[0, 1.0], [-2.0, 0]]))
    assert set(caught.value.cycle) <= {0, 1}
    assert isinstance(caught.value, (apsp.Error, ArithmeticError))


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
