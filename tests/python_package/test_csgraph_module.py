"""apsp.csgraph as a module: its import, its error and patch()."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse.csgraph as scipys

import apsp
from apsp import csgraph

GRAPH = np.array([[0, 1, 9], [0, 0, 2], [0, 0, 0]])
CYCLE = np.array([[0, 1.0], [-3, 0]])


def test_import_leaves_scipy_alone():
    program = """if True:
        import sys
        import apsp.csgraph as csgraph
        import numpy as np
        csgraph.shortest_path(np.array([[0, 1], [0, 0]]), return_predecessors=True)
        assert not [name for name in sys.modules if name.startswith("scipy")]
        assert "NegativeCycleError" in dir(csgraph)
        from scipy.sparse.csgraph import NegativeCycleError
        assert issubclass(csgraph.NegativeCycleError, NegativeCycleError)
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_works_without_scipy():
    program = """if True:
        import sys
        sys.modules["scipy"] = None
        import apsp, apsp.csgraph as csgraph
        import numpy as np
        assert csgraph.floyd_warshall([[0, 1], [2, 0]]).tolist() == [[0, 1], [2, 0]]
        try:
            csgraph.floyd_warshall([[0, 1], [-2, 0]])
        except csgraph.NegativeCycleError as error:
            assert isinstance(error, apsp.NegativeCycleError)
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_error_is_caught_by_all_its_names():
    for error in (csgraph.NegativeCycleError, scipys.NegativeCycleError, apsp.NegativeCycleError):
        pytest.raises(error, csgraph.johnson, CYCLE)
    with pytest.raises(scipys.NegativeCycleError) as caught:
        csgraph.floyd_warshall(CYCLE)
    assert caught.value.__cause__ is None and sorted(caught.value.cycle) == [0, 1]
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is csgraph.NegativeCycleError and str(again) == str(caught.value)
    with pytest.raises(AttributeError):
        csgraph.nothing


def test_patch_and_undo():
    theirs = scipys.shortest_path
    patch = csgraph.patch()
    assert scipys.shortest_path is csgraph.shortest_path and scipys.dijkstra is csgraph.dijkstra
    again = csgraph.patch()
    assert repr(again).endswith("in 0 places>")
    again.undo()
    assert scipys.shortest_path is csgraph.shortest_path
    patch.undo()
    patch.undo()
    assert scipys.shortest_path is theirs


def test_patch_reaches_modules_that_hold_a_name():
    module = type(sys)("code_of_a_user")
    exec("from scipy.sparse.csgraph import dijkstra\ndef rows(g): return dijkstra(g)", vars(module))
    sys.modules[module.__name__] = module
    try:
        theirs = module.dijkstra
        with csgraph.patch():
            assert module.dijkstra is csgraph.dijkstra
            np.testing.assert_array_equal(module.rows(GRAPH), [[0, 1, 3], [np.inf, 0, 2], [np.inf, np.inf, 0]])
        assert module.dijkstra is theirs
    finally:
        del sys.modules[module.__name__]


def test_patch_is_undone_after_an_error_and_spares_what_came_later():
    theirs = scipys.shortest_path, scipys.yen
    with pytest.raises(KeyError), csgraph.patch(["shortest_path"]):
        assert scipys.shortest_path is csgraph.shortest_path and scipys.yen is theirs[1]
        raise KeyError
    assert (scipys.shortest_path, scipys.yen) == theirs
    with csgraph.patch():
        scipys.shortest_path = other = object()
    assert scipys.shortest_path is other
    scipys.shortest_path = theirs[0]


def test_everything_public_has_a_docstring():
    for name in csgraph.__all__:
        assert getattr(csgraph, name).__doc__


@pytest.mark.parametrize("fill", [0, np.inf, np.nan])
def test_pydata_sparse_arrays(fill):
    sparse = pytest.importorskip("sparse")
    dense = np.where(GRAPH == 0, fill, GRAPH)
    graph = sparse.COO.from_numpy(dense, fill_value=fill)
    for function in (csgraph.shortest_path, csgraph.floyd_warshall, csgraph.connected_components):
        for found, wanted in zip(function(graph), function(GRAPH)):
            np.testing.assert_array_equal(found, wanted)
    pytest.raises(ValueError, csgraph.dijkstra, sparse.COO.from_numpy(GRAPH, fill_value=9))
