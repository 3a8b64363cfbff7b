"""Many calls, many threads, forks, interpreters: nothing grows, hangs or breaks."""

import gc
import os
import pathlib
import subprocess
import sys
import sysconfig
import threading
import weakref

import numpy as np
import pytest
import scipy.sparse

import apsp
from apsp import _apsp, csgraph


def resident():
    """Bytes of memory that this process has."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def everything():
    """A call of each kind, those that fail included."""
    graph = apsp.Graph.from_edges(list("abc"), list("bca"), [1.0, 2, 3])
    result = apsp.solve(graph, threads=1)
    result.distances.sum()
    result.distance("a", "b"), result.path("a", "c"), result.row("b"), result.statistics
    result.distances_of([("a", "b")])
    for _ in result.rows():
        pass
    matrix = np.array([[0, 1.0], [2.0, 0]])
    _apsp.floyd_warshall_in_place(matrix)
    apsp.floyd_warshall(matrix)
    csgraph.shortest_path(matrix, return_predecessors=True)
    for wrong in (lambda: result.distance("a", "z"), lambda: apsp.solve(graph, algorithm="x"),
                  lambda: _apsp.floyd_warshall_in_place([[1]]),
                  lambda: apsp.floyd_warshall([[1, 2]]),
                  lambda: _apsp.floyd_warshall_in_place(np.array([[0, 1.0], [-2.0, 0]]))):
        pytest.raises((apsp.Error, TypeError), wrong)


def test_five_thousand_calls_take_no_memory():
    for _ in range(100):
        everything()
    gc.collect()
    before = resident()
    for _ in range(280):  # of 18 calls each
        everything()
    gc.collect()
    assert resident() - before < 2 << 20


def test_calls_of_every_door_hold_nothing():
    """A process of its own: what other tests left in the pools of this one is not flat yet."""
    program = pathlib.Path(__file__).resolve().parents[1] / "reliability" / "endurance.py"
    done = subprocess.run([sys.executable, program, "--solves", "900"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout.endswith("flat\n"), done.stdout + done.stderr


def test_large_results_are_let_go():
    graph = apsp.generate("gnp", 1500, probability=0.1, seed=1)
    for _ in range(3):
        apsp.solve(graph, value_type="f64", keep="matrix").distances
    gc.collect()
    before = resident()
    for _ in range(10):  # 18 MB each
        array = apsp.solve(graph, value_type="f64", keep="matrix").distances
        del array
    gc.collect()
    assert resident() - before < 24 << 20


def test_nothing_is_held_by_a_cycle():
    gc.disable()
    try:
        graph = apsp.generate("grid", 100)
        result = apsp.solve(graph)
        stream = apsp.rows(graph)
        next(stream)
        held = [weakref.ref(graph), weakref.ref(result)]
        del graph, result, stream
        assert [ref() for ref in held] == [None, None]
    finally:
        gc.enable()


def test_references_are_given_back():
    values = np.ones((3, 3))
    sparse = scipy.sparse.csr_array(([1.0], [1], [0, 1, 1]), shape=(2, 2))
    arrays = values, sparse.indptr, sparse.indices, sparse.data
    count = [sys.getrefcount(array) for array in arrays]
    for _ in range(100):
        _apsp.floyd_warshall_in_place(values)
        csgraph.dijkstra(sparse)
        apsp.Graph.from_numpy(values)
    assert [sys.getrefcount(array) for array in arrays] == count


def test_threads_share_a_result_and_solve_beside_each_other():
    graph = apsp.generate("grid", 900, directed=False)
    result = apsp.solve(graph, keep="factor", algorithm="nested-dissection")
    expected = apsp.solve(graph, value_type="f64", keep="matrix").distances
    failures = []

    def work(seed):
        try:
            random = np.random.default_rng(seed)
            for _ in range(20):
                s, t = random.integers(0, 900, 2).tolist()
                assert result.distance(s, t) == expected[s, t]
                assert result.path(s, t)[0] == s
                np.testing.assert_array_equal(result.row(s), expected[s])
            np.testing.assert_array_equal(apsp.solve(graph, value_type="f64", keep="matrix").distances, expected)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def run(code, *, timeout=60):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout)


def test_child_after_a_fork_solves():
    done = run("""
import os, apsp, numpy as np
graph = apsp.generate("gnp", 600, probability=0.1)
first = apsp.solve(graph, value_type="f64", keep="matrix").distances
child = os.fork()
if child == 0:
    again = apsp.solve(graph, value_type="f64", keep="matrix").distances
    os._exit(0 if (again == first).all() else 1)
assert os.waitpid(child, 0)[1] == 0
assert (apsp.solve(graph, value_type="f64", keep="matrix").distances == first).all()
""")
    assert done.returncode == 0, done.stderr


def test_workers_of_multiprocessing_solve():
    done = run("""
import multiprocessing, apsp
graph = apsp.generate("grid", 100, directed=False)
def far(source):
    return apsp.solve(graph, sources=[source]).statistics["greatest"]
expected = [far(source) for source in range(4)]
for method in ("fork",):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(far, range(4)) == expected
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("shares_the_lock", [False, True])
def test_sub_interpreter_is_refused(shares_the_lock):
    done = run(f"""
try:
    import _interpreters as interpreters
    other = interpreters.create(*{["legacy"] if shares_the_lock else []})
except ImportError:
    import _xxsubinterpreters as interpreters
    other = interpreters.create(isolated={not shares_the_lock})
import apsp
code = '''
try:
    import apsp
except ImportError as error:
    print("refused:", error)
else:
    print("taken")
'''
interpreters.run_string(other, code)
assert apsp.solve(apsp.generate("grid", 100), keep="matrix").distances.shape == (100, 100)
""")
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout, done.stdout


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python is not free-threaded")
def test_the_import_switches_the_lock_on():
    done = run("import sys; import apsp._apsp; assert sys._is_gil_enabled()")
    assert done.returncode == 0, done.stderr


def test_workers_that_begin_anew_take_pickled_graphs(tmp_path):
    script = tmp_path / "spawned.py"
    script.write_text("""
import multiprocessing, apsp
def far(graph):
    return apsp.solve(graph).statistics["greatest"]
if __name__ == "__main__":
    graphs = [apsp.generate("grid", n, directed=False) for n in (16, 100)]
    graphs.append(apsp.Graph.from_edges(list("ab"), list("bc"), [1.5, 2]))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(far, graphs) == [far(graph) for graph in graphs]
""")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_process_ends_while_rows_are_streamed():
    done = run("""
import apsp
stream = apsp.rows(apsp.generate("grid", 2500))
next(stream)
""")
    assert done.returncode == 0 and done.stderr == ""


def test_process_ends_while_a_thread_solves():
    done = run("""
import threading, time, apsp
graph = apsp.generate("gnp", 3000, probability=0.5)
threading.Thread(target=lambda: apsp.solve(graph, value_type="f64", keep="matrix"), daemon=True).start()
time.sleep(0.3)
""")
    assert done.returncode == 0, done.stderr


def test_child_ends_while_its_parent_solves():
    done = run("""
import os, threading, time, apsp
graph = apsp.generate("gnp", 3000, probability=0.5)
solving = threading.Thread(target=lambda: apsp.solve(graph, value_type="f64", keep="matrix"))
solving.start()
time.sleep(0.2)
child = os.fork()
if child == 0:
    apsp.solve(apsp.generate("grid", 100))
else:
    assert os.waitpid(child, 0)[1] == 0
    solving.join()
""")
    assert done.returncode == 0, done.stderr


def test_process_ends_while_a_thread_takes_rows():
    done = run("""
import threading, time, apsp
graph = apsp.generate("gnp", 3000, probability=0.5)
def take():
    for block in apsp.rows(graph, value_type="f64"):
        time.sleep(0.01)
threading.Thread(target=take, daemon=True).start()
time.sleep(0.5)
""")
    assert done.returncode == 0, done.stderr


def test_shared_matrix_is_let_go_by_python_alone():
    done = run("""
import sys, time, numpy, apsp
values = numpy.ones((40, 40))
count = sys.getrefcount(values)
for _ in range(200):
    graph = apsp.Graph.from_numpy(values, copy=False)
    apsp.solve(graph), apsp.plan(graph), next(apsp.rows(graph))
del graph
for _ in range(100):  # a stream that was left may still be ending
    apsp.Graph.from_numpy(numpy.ones((2, 2)), copy=False)  # takes what a thread has let go
    if sys.getrefcount(values) == count:
        break
    time.sleep(0.05)
assert sys.getrefcount(values) == count
apsp.solve(apsp.Graph.from_numpy(values, copy=False))
""")
    assert done.returncode == 0, done.stderr
