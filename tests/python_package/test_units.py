"""Limits in units: each call that takes `unit` answers as with the number of weights, with titles as the command has them."""

import numpy as np
import pytest

import apsp

SECONDS = apsp.Graph.from_edges(list("ABC"), list("BCD"), [300, 240, 700], directed=False)
JOBS = {"A": 1, "B": 2, "C": 4, "D": 8}
PLACES = [(0, 0), (1, 0), (2, 0), (3, 0)]

CALLS = {
    "within": lambda limit, **unit: apsp.within(SECONDS, limit, **unit).toarray(),
    "verify": lambda limit, **unit: apsp.verify(apsp.within(SECONDS, 540), SECONDS, limit, **unit)["passed"],
    "access": lambda limit, **unit: apsp.access(SECONDS, JOBS, limit, **unit),
    "reach": lambda limit, **unit: apsp.Reach(SECONDS, limit, **unit).sum(JOBS),
    "reach_less": lambda limit, **unit: apsp.Reach(SECONDS, 2000, **unit).sum(JOBS, limit),
    "reach_count": lambda limit, **unit: apsp.Reach(SECONDS, 2000, **unit).count(limit),
    "nearest": lambda limit, **unit: apsp.nearest(SECONDS, ["A", "D"], 2, within=limit, **unit)[1],
    "isochrones": lambda limit, **unit: [each["geometry"].length for each in apsp.isochrones(SECONDS, ["B"], limit, PLACES, **unit)],
    "betweenness": lambda limit, **unit: apsp.betweenness(SECONDS, within=limit, **unit),
    "edge_betweenness": lambda limit, **unit: apsp.edge_betweenness(SECONDS, within=limit, **unit)[2],
    "closeness": lambda limit, **unit: apsp.closeness(SECONDS, limit, **unit)[0],
}


@pytest.mark.parametrize("name", CALLS)
def test_a_quantity_is_a_number_of_weights(name):
    call = CALLS[name]
    expected = np.asarray(call(540))
    for limit, unit in (("9min", "s"), ("540", "s"), (540, "s"), ("0.15h", "s"), ("540s", "s"), ("9 min", "1s"), ("5400s", "10s"),
                        ("540m", "m"), ("0.54km", "m"), ("540", "")):
        np.testing.assert_array_equal(np.asarray(call(limit, unit=unit)), expected, err_msg=f"{limit} {unit}")
    assert not np.array_equal(np.asarray(call("8min", unit="s")), expected)
    for limit, unit, words in (("9min", "", "unit"), ("9min", "m", "weights are in m"), ("9km", "0.1s", "weights are in 0.1s"),
                               ("nine", "s", "'nine'"), ("9 parsecs", "s", "parsecs"), (9, "parsecs", "parsecs"), (9, "0s", "'0s'")):
        with pytest.raises(apsp.UsageError, match=words):
            call(limit, unit=unit)


@pytest.mark.parametrize("name", ["access", "reach_less", "isochrones", "betweenness", "edge_betweenness", "closeness"])
def test_several_limits_may_be_of_both_kinds(name):
    call = CALLS[name]
    np.testing.assert_array_equal(call(["9min", 1240, "5min"], unit="s"), call([540, 1240, 300]))


def test_infinity_and_exact_numbers_are_kept():
    assert apsp.betweenness(SECONDS, within=np.inf).tolist() == apsp.betweenness(SECONDS).tolist()
    third = apsp.Graph.from_edges([0], [1], [1 / 3])
    assert apsp.within(third, 1 / 3).nnz == 1 and apsp.within(third, np.nextafter(1 / 3, 0)).nnz == 0


def test_scales_of_decays():
    expected = apsp.access(SECONDS, JOBS, 900, decay=("exp", 120))
    np.testing.assert_array_equal(apsp.access(SECONDS, JOBS, "15min", decay=("exp", "2min"), unit="s"), expected)
    reach = apsp.Reach(SECONDS, "15min", unit="s")
    assert reach.distance == 900
    np.testing.assert_allclose(reach.sum(JOBS, decay=("exp", "2min")), expected)
    assert apsp.access(SECONDS, JOBS, 900, decay=("power", 2), unit="s").tolist() == apsp.access(SECONDS, JOBS, 900, decay=("power", 2)).tolist()
    with pytest.raises(apsp.UsageError, match="unit"):
        apsp.access(SECONDS, JOBS, 900, decay=("exp", "2min"))


def test_titles_have_the_unit():
    sums = apsp.access(SECONDS, {"A": 1}, ["9min", 1240], unit="s", as_table=True)
    assert sums.names == ["vertex", "1 within 9min", "1 within 1240 (s)"]
    assert apsp.access(SECONDS, {"A": 1}, [1234567, 1234568], as_table=True).names[1:] == ["1 within 1234567", "1 within 1234568"]
    assert apsp.betweenness(SECONDS, within=["9min", 0.5], unit="s", as_table=True).names == [
        "vertex", "betweenness within 9min", "betweenness within 0.5 (s)"]
    assert apsp.edge_betweenness(SECONDS, within=["9min"], unit="s", as_table=True).names[2:] == ["betweenness within 9min"]
    near = apsp.nearest(SECONDS, ["A"], unit="0.1s", as_table=True)
    assert near["distance (0.1s)"].tolist() == [0, 300, 540, 1240]
    steps = apsp.paths(SECONDS, [("A", "D")], unit="s")
    assert steps["distance (s)"].tolist() == [0, 300, 540, 1240]
    assert "distance" in apsp.paths(SECONDS, [("A", "D")]).names
    with pytest.raises(apsp.UsageError, match="within"):
        apsp.betweenness(SECONDS, unit="s")
