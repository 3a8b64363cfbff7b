"""Stores as others see them: numpy and zarr-python read what apsp_store_sample wrote.

The program's path comes in APSP_STORE_SAMPLE. Entries follow from their places, as in
tests/support/sample_store.hpp.
"""

import os
import pathlib
import subprocess

import numpy
import pytest

zarr = pytest.importorskip("zarr", minversion="3", reason="zarr-python 3 is not installed")

TILE = 8
N = 2 * TILE + 3
DTYPES = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "u16": "<u2", "bool": "|b1"}
PLANES = ["distance", "predecessor", "via", "hops"]
PAIRS = [
    (semiring, dtype)
    for semiring in ["min-plus", "max-min", "min-max", "max-plus", "or-and"]
    for dtype in DTYPES
    if (semiring == "or-and") == (dtype == "bool") and (semiring, dtype) != ("max-plus", "u16")
]


def no_path(semiring, dtype):
    sign = 1 if semiring in ("min-plus", "min-max") else -1
    if dtype == "bool":
        return False
    if dtype in ("f32", "f64"):
        return sign * numpy.inf
    largest = {"i32": 2**30 - 1, "u16": 2**15 - 1}[dtype]
    return sign * largest if dtype == "i32" or sign > 0 else 0


def distances(semiring, dtype):
    i, j = numpy.indices((N, N))
    mixed = i * 131 + j * 31 + i * j
    values = mixed % 2 if dtype == "bool" else mixed % 9973
    values = values.astype(DTYPES[dtype])
    values[mixed % 7 == 3] = no_path(semiring, dtype)
    return values


def integers(plane):
    i, j = numpy.indices((N, N))
    return ((i * 17 + j * 5 + PLANES.index(plane)) % 1009 - 1).astype("<i4")


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    program = os.environ.get("APSP_STORE_SAMPLE")
    if not program:
        pytest.skip("APSP_STORE_SAMPLE does not name the program apsp_store_sample")
    directory = tmp_path_factory.mktemp("stores")
    subprocess.run([program, str(directory)], check=True)
    assert not [name for name in os.listdir(directory) if name.startswith(".")]
    return directory


@pytest.mark.parametrize("semiring, dtype", PAIRS)
def test_npy(samples, semiring, dtype):
    path = samples / f"{semiring}-{dtype}.npy"
    matrix = numpy.load(path, mmap_mode="r")
    assert isinstance(matrix, numpy.memmap)
    assert matrix.offset % 64 == 0
    assert matrix.dtype.str == DTYPES[dtype]
    assert matrix.flags.c_contiguous
    assert numpy.array_equal(matrix, distances(semiring, dtype))
    assert path.stat().st_size == matrix.offset + matrix.nbytes


@pytest.mark.parametrize("suffix", [".zarr", "-zstd.zarr"])
@pytest.mark.parametrize("semiring, dtype", PAIRS)
def test_zarr(samples, semiring, dtype, suffix):
    group = zarr.open_group(samples / f"{semiring}-{dtype}{suffix}", mode="r")
    array = group["distance"]
    assert array.shape == (N, N)
    assert array.chunks == (TILE, TILE)
    assert array.dtype == numpy.dtype(DTYPES[dtype])
    assert array.fill_value == no_path(semiring, dtype)
    assert array.metadata.dimension_names == ("source", "target")
    assert numpy.array_equal(array[:], distances(semiring, dtype))
    for plane in PLANES[1:]:
        assert group[plane].fill_value == -1
        assert numpy.array_equal(group[plane][:], integers(plane))
    attributes = group.attrs["apsp"]
    assert attributes["semiring"] == semiring
    assert attributes["value_type"] == dtype
    assert attributes["complete"] is True
    assert attributes["format_version"] == 1
    assert attributes["planes"] == PLANES
    assert group.attrs["result"] == {
        "z": 1,
        "a": [0.1, 1e300, -3, None, True],
        "text": 'ü "x"',
    }


@pytest.mark.parametrize("suffix", [".zarr", "-zstd.zarr"])
def test_graph_and_labels(samples, suffix):
    group = zarr.open_group(samples / f"min-plus-f32{suffix}", mode="r")
    labels = [""] + [f"vertex №{v * v}" for v in range(1, N)]
    assert list(group["label"][:]) == labels
    assert group["label"].metadata.dimension_names == ("vertex",)
    closeness = numpy.arange(N) / 3 + ord("c")
    assert numpy.array_equal(group["closeness"][:], closeness)

    graph = group["graph"]
    indptr, indices, weights = (graph[name][:] for name in ("indptr", "indices", "weights"))
    assert (indptr.dtype, indices.dtype, weights.dtype) == ("int64", "uint32", "float64")
    assert graph.attrs["directed"] is False
    assert graph.attrs["first_id"] == 1
    assert graph.attrs["digest"] == group.attrs["apsp"]["digest"]
    edges = []
    for v in range(N):
        edges += [(v, (v + 1) % N, 1.5 + v), (v, (v * 7 + 3) % N, -0.25)]
        edges += [(v, (v + 1) % N, 0.5)] if v % 3 == 0 else []
        edges += [(v, v, 2)] if v % 4 == 0 else []
    arcs = edges + [(v, u, w) for u, v, w in edges if u != v]
    sources = numpy.repeat(numpy.arange(N), numpy.diff(indptr))
    assert sorted(arcs) == sorted(zip(sources.tolist(), indices.tolist(), weights.tolist()))


def test_empty(samples):
    assert numpy.load(samples / "empty.npy", mmap_mode=None).shape == (0, 0)
    group = zarr.open_group(samples / "empty.zarr", mode="r")
    assert group["distance"][:].shape == (0, 0)
    assert group["graph"]["indptr"][:].tolist() == [0]


def test_every_node_opens(samples):
    group = zarr.open_group(samples / "min-plus-f32.zarr", mode="r")
    names = {name for name, _ in group.members(max_depth=None)}
    assert names == set(PLANES) | {"label", "eccentricity", "closeness", "graph"} | {
        f"graph/{name}" for name in ("indptr", "indices", "weights")
    }


@pytest.mark.parametrize("suffix", [".zarr", "-zstd.zarr"])
def test_zarr_python_sees_a_flipped_bit(samples, tmp_path, suffix):
    import shutil

    copy = tmp_path / "air.zarr"
    shutil.copytree(samples / f"min-plus-f32{suffix}", copy)
    chunks = [pathlib.Path("distance/c/1/2"), pathlib.Path("label/c/0")]
    for chunk, read in zip(chunks, [lambda g: g["distance"][:], lambda g: g["label"][:]]):
        bytes_ = bytearray((copy / chunk).read_bytes())
        bytes_[len(bytes_) // 2] ^= 4
        (copy / chunk).write_bytes(bytes_)
        with pytest.raises(ValueError, match="checksum"):
            read(zarr.open_group(copy, mode="r"))
