"""`apsp eccentricity`: its JSON, its table, and what it refuses."""

import pytest


def test_values_are_those_of_statistics(run):
    run("generate", "roads", "roads.gr", "--vertices", 700)
    solved = run("solve", "roads.gr", "--json").json()["statistics"]
    (found,) = run("eccentricity", "roads.gr", "--json").json()["components"]
    within = solved.get("component") or solved
    assert found["diameter"]["least"] == found["diameter"]["most"] == within["diameter"]
    assert found["radius"]["least"] == found["radius"]["most"] == solved["radius"]
    assert found["complete"] and found["centre"] and found["periphery"]


def test_a_stored_factor_gives_rows(run, tmp_path):
    apsp = pytest.importorskip("apsp")
    run("generate", "roads", "roads.gr", "--vertices", 700, "--undirected")
    run("solve", "roads.gr", "--keep", "factor", "-o", "roads.zarr")
    told = [run("eccentricity", name, "--all", "--algorithm", "nested-dissection", "--json").json()["components"][0]
            for name in ("roads.gr", "roads.zarr")]
    assert "stored factor" in told[1]["plan"] and "stored factor" not in told[0]["plan"]
    assert told[0]["diameter"] == told[1]["diameter"] and told[0]["radius"] == told[1]["radius"]
    found = apsp.eccentricity(apsp.open(tmp_path / "roads.zarr"), algorithm="nested-dissection")
    assert found.diameter[0] == told[0]["diameter"]["least"] and "stored factor" in found.plan


def test_table_of_all_components(run, cities, tmp_path):
    told = run("eccentricity", cities, "--undirected", "--all", "--component", "each", "-o", "e.csv", "--json").json()
    assert [part["vertices"] for part in told["components"]] == [4, 1]
    rows = dict(line.split(",") for line in (tmp_path / "e.csv").read_text().splitlines()[1:])
    assert rows == {"Aachen": "120", "Bonn": "90", "Cologne": "70", "Dortmund": "120", "Emden": "0"}
    assert "memory" in run("eccentricity", cities, "--plan", "--json").json()


def test_refusals(run, cities):
    assert run("eccentricity", cities, "--diameter", "--radius", code=2)
    assert run("eccentricity", cities, "-o", "e.csv", code=2)
