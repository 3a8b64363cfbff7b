"""Writes the pages of the C++ headers into the copied sources of the site.

python prepare.py [--plain] SOURCE     --plain: the cards of the front page become a list
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


def list_cards(page):
    text = re.sub(r":::\{grid-item-card\} (.*)\n:link: (.*)\n:link-type: doc\n(.*)\n:::", r"- [\1](\2.md): \3", page.read_text())
    page.write_text(re.sub(r"::::\{grid\}.*\n(:gutter.*\n)?|^::::\n", "", text, flags=re.MULTILINE))


if __name__ == "__main__":
    source = pathlib.Path(sys.argv[-1])
    make_header_pages(source / "api/cpp")
    if "--plain" in sys.argv:
        list_cards(source / "index.md")
