"""Machines that lack something: /proc, memory, processors, a home, a locale. The answers are the same."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import binary, environment
from killed import content


@pytest.fixture
def wanted(run, tmp_path):
    """The graph g.gr, and its result as it should be."""
    run("generate", "gnp", "g.gr", "--vertices", "500", "--quiet")
    run("solve", "g.gr", "-o", "wanted.zarr")
    return content(tmp_path / "wanted.zarr")


def call(folder, *words, before=(), code=0, **variables):
    done = subprocess.run([*before, binary(), *words], cwd=folder, env=environment(**variables), text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == code, done.stderr
    return done


def in_own_mounts(script):
    """Words that run a program behind `script`, which changes what it sees of the file system."""
    before = ["unshare", "--mount", "sh", "-c", script + ' && exec "$@"', "sh"]
    if shutil.which("unshare") is None or subprocess.run([*before, "true"], capture_output=True).returncode != 0:
        pytest.skip("needs root, and a kernel with mount namespaces")
    return before


def test_without_proc_the_free_memory_is_known(wanted, tmp_path):
    before = in_own_mounts("umount -l /proc")
    facts = json.loads(call(tmp_path, "info", "--json", before=before).stdout)
    here = json.loads(call(tmp_path, "info", "--json").stdout)
    free, total = (facts["machine"][key] for key in ("memory_available", "memory_total"))
    assert 0 < free <= total <= here["machine"]["memory_total"] + (1 << 20)
    call(tmp_path, "solve", "g.gr", "-o", "out.zarr", before=before)
    assert content(tmp_path / "out.zarr") == wanted


@pytest.fixture
def group():
    """Makes a control group of version 1; what a process has to do to be in it."""
    made = []

    def make(controller, **limits):
        folder = pathlib.Path(f"/sys/fs/cgroup/{controller}/apsp-test-{os.getpid()}")
        try:
            folder.mkdir()
            made.append(folder)
            for name, value in limits.items():
                (folder / f"{controller}.{name}").write_text(str(value))
        except OSError as error:
            pytest.skip(f"no control group of one's own: {error}")
        return ["sh", "-c", f'echo $$ > {folder}/cgroup.procs && exec "$@"', "sh"]

    yield make
    for folder in made:
        folder.rmdir()


def test_a_container_with_little_memory_is_planned_for(wanted, group, tmp_path, run):
    before = group("memory", limit_in_bytes=64 << 20)
    facts = json.loads(call(tmp_path, "info", "--json", before=before).stdout)["machine"]
    assert facts["memory_total"] == 64 << 20 and 0 < facts["memory_available"] <= 64 << 20
    call(tmp_path, "solve", "g.gr", "-o", "out.zarr", before=before)
    assert content(tmp_path / "out.zarr") == wanted
    # A matrix of 64 MB lies on the disk then, and the system kills nobody.
    run("generate", "gnp", "large.gr", "--vertices", "4000", "--probability", "0.001", "--quiet")
    words = ["solve", "large.gr", "-o", "large.npy", "--algorithm", "floyd-warshall", "--dtype", "f32", "--json"]
    report = json.loads(call(tmp_path, *words, before=before).stdout)
    assert report["report"]["bytes_planned"] < 64 << 20


def test_a_container_of_half_a_processor_gets_one_thread(wanted, group, tmp_path):
    before = group("cpu", cfs_quota_us=50_000)
    variables = {name: value for name, value in environment().items() if name != "OMP_NUM_THREADS"}
    done = subprocess.run([*before, binary(), "info", "--json"], env=variables, capture_output=True, check=True)
    assert json.loads(done.stdout)["machine"]["threads"] == 1
    done = subprocess.run([*before, binary(), "solve", "g.gr", "-o", "out.zarr"], cwd=tmp_path, env=variables,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "out.zarr") == wanted


@pytest.mark.parametrize("threads", ["", "3"])
def test_one_core_serves_any_number_of_threads(wanted, tmp_path, threads):
    before = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    words = ["--threads", threads] if threads else []
    call(tmp_path, "solve", "g.gr", "-o", "out.zarr", *words, before=before)
    assert content(tmp_path / "out.zarr") == wanted


@pytest.mark.parametrize("home", ["/proc/1/none", "/dev/null", ""])
def test_a_home_where_nothing_can_be_written(wanted, tmp_path, home):
    changes = {"HOME": home, "APSP_CACHE_DIR": "", "XDG_CACHE_HOME": ""}
    call(tmp_path, "solve", "g.gr", "-o", "out.zarr", **changes)
    assert content(tmp_path / "out.zarr") == wanted
    variables = {name: value for name, value in environment().items() if name not in (*changes, "APSP_MEASURE")}
    (tmp_path / "out.zarr").rename(tmp_path / "first.zarr")
    done = subprocess.run([binary(), "solve", "g.gr", "-o", "out.zarr"], cwd=tmp_path, env=variables,
                          capture_output=True, text=True, timeout=60)  # measures, and keeps nothing; no HOME at all
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "out.zarr") == wanted


def test_a_file_system_that_cannot_be_written(wanted, tmp_path):
    before = in_own_mounts(f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path} && cd {tmp_path}")
    done = call(tmp_path, "solve", "g.gr", "-o", "out.zarr", before=before, code=6)
    assert "ead-only file system" in done.stderr
    call(tmp_path, "solve", "g.gr", before=before)
    assert not (tmp_path / "out.zarr").exists()


@pytest.fixture(scope="module")
def commas(tmp_path_factory):
    """A folder with a locale that writes 1.234,5."""
    folder = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef") is None:
        pytest.skip("no localedef")
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], capture_output=True)
    if made.returncode > 1:
        pytest.skip("no source of a German locale")
    return str(folder)


LOCALES = [{}, {"LC_ALL": ""}, {"LC_ALL": "C"}, {"LC_ALL": "none.such"}, {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}]


@pytest.mark.parametrize("locale", LOCALES, ids=lambda value: value.get("LC_ALL", "none"))
def test_no_locale_changes_a_number(run, tmp_path, commas, locale):
    (tmp_path / "real.csv").write_text("a,b,0.5\nb,c,1234.25\nc,a,1e3\n")
    words = ["solve", "real.csv", "--json", "--memory", "1.5GiB"]
    expected = json.loads(run(*words).out)["statistics"]
    variables = {name: value for name, value in environment().items() if name not in ("LANG", "LC_ALL")}
    done = subprocess.run([binary(), *words], cwd=tmp_path, env={**variables, **locale, "LOCPATH": commas},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["statistics"] == expected
    done = subprocess.run([binary(), *words[:2]], cwd=tmp_path, env={**variables, **locale, "LOCPATH": commas},
                          capture_output=True)
    assert re.search(rb"diameter +1000.5 ", done.stdout), done.stdout
