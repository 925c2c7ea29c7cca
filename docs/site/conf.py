# SPDX-License-Identifier: MIT
"""Settings of Sphinx, for the packages of Debian 12 and 13; docs/site/build makes the sources."""

import logging
import pathlib
import re

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

project = "Mugrad"
author = "the authors of Mugrad"
extensions = ["myst_parser", "breathe", "sphinx.ext.mathjax"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
html_theme = "furo"
html_title = "Mugrad"
html_static_path = [str(REPOSITORY / "docs/site/static")]
html_css_files = ["site.css"]
smartquotes = False
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_permalinks_icon = "#"
highlight_language = "none"
pygments_style = "tango"

# Anchors of headings are those of GitHub.
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
# MathJax 2 of Debian, which the build copies: the site needs no network.
mathjax_path = "mathjax/MathJax.js"
mathjax2_config = {
    "messageStyle": "none",
    "jax": ["input/TeX", "output/SVG"],
    "extensions": ["tex2jax.js", "TeX/AMSmath.js", "TeX/AMSsymbols.js"],
    "SVG": {"font": "TeX"},
    "showMathMenu": False,
    # Formulas alone: a dollar of the text is a dollar.
    "tex2jax": {"ignoreClass": "tex2jax_ignore", "processClass": "tex2jax_process|math"},
}
myst_update_mathjax = False

breathe_projects = {"mugrad": str(REPOSITORY / "build/docs/doxygen/xml")}
breathe_default_project = "mugrad"
breathe_show_include = False
python_use_unqualified_type_names = True
add_module_names = False


def is_no_namespace(record):
    """Every page declares the namespaces of its header, which Sphinx warns of as duplicates."""
    repeated = r"Duplicate C\+\+ declaration.*cpp:type:: mugrad(::[a-z]+)?'"
    return not re.match(repeated, record.getMessage(), re.DOTALL)


logging.getLogger("sphinx.sphinx.domains.cpp").addFilter(is_no_namespace)
