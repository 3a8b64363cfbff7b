"""Writes the pages of the C++ headers into the copied sources of the site.

python prepare.py SOURCE
"""

import pathlib
import re
import sys

HEADERS = pathlib.Path("include/apsp")
OTHER = {".h"}  # the interface of C has a page of its own


def make_header_pages(folder):
    """One page a header, which begins with the header's own first sentence."""
    names = []
    for header in sorted(HEADERS.iterdir()):
        if header.suffix in OTHER or header.name == "apsp.hpp":
            continue
        first = re.match(r"// (.*?)(?=\n(?!//))", header.read_text(), re.DOTALL)
        about = first[1].replace("\n//", "") if first else ""
        page = f"# {header.name}\n\n{about}\n\n```{{doxygenfile}} {header.name}\n```\n"
        (folder / f"{header.stem}.md").write_text(page)
        names.append(header.stem)
    (folder / "index.md").write_text("# C++\n\n`#include <apsp/apsp.hpp>` includes all headers.\n\n```{toctree}\n" + "\n".join(names) + "\n```\n")


if __name__ == "__main__":
    make_header_pages(pathlib.Path(sys.argv[1]) / "api/cpp")
