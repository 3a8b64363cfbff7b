"""Settings of Sphinx. scripts/site names the version, Doxygen's XML and the folder of the Python package.
With APSP_SITE_PLAIN they are those of Debian's Sphinx, which has neither the theme nor the cards of the front page."""

import os
import sys

sys.path.insert(0, os.environ["APSP_SITE_PYTHON"])

project = "apsp"
author = "the authors of apsp"
version = release = os.environ["APSP_SITE_VERSION"]
plain = "APSP_SITE_PLAIN" in os.environ
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
if not plain:
    extensions.append("sphinx_design")

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # as links between the manuals name headings
suppress_warnings = ["myst.header",
                     "duplicate_declaration.c",  # typedef enum x {} x declares two names in C
                     "duplicate_declaration.cpp",  # a namespace on every page
                     "ref.python"]  # two classes may have a member of one name

breathe_projects = {"apsp": os.environ["APSP_SITE_XML"]}
breathe_default_project = "apsp"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp", "cuh": "cpp"}
autodoc_member_order = "groupwise"
napoleon_google_docstring = False

html_theme = "sphinx_rtd_theme" if plain else "pydata_sphinx_theme"
html_title = f"apsp {version}"
html_extra_path = ["extra"]  # the live report
html_show_sourcelink = False
smartquotes = False  # --option stays as it is typed
if not plain:
    templates_path = ["templates"]
    html_sidebars = {"**": ["all-pages.html"]}
    html_static_path, html_css_files = ["static"], ["tables.css"]
html_theme_options = {} if plain else {
    "navbar_start": ["navbar-logo", "version-switcher"],
    "navbar_center": [],
    "logo": {"text": "apsp"},
    "switcher": {"json_url": "../versions.json", "version_match": version},
    "check_switcher": False,
}
