"""Writes what an installation would tell of nx-apsp, its name and entry points, so that the tests'
build can be imported without one.

    python dist_info.py FOLDER
"""

import pathlib
import sys
import tomllib

project = tomllib.loads((pathlib.Path(__file__).parent / "pyproject.toml").read_text())["project"]
folder = pathlib.Path(sys.argv[1]) / f"nx_apsp-{project['version']}.dist-info"
folder.mkdir(parents=True, exist_ok=True)
(folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
lines = []
for group, entries in project["entry-points"].items():
    lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
(folder / "entry_points.txt").write_text("\n".join(lines) + "\n")
