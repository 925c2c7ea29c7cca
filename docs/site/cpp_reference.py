# SPDX-License-Identifier: MIT
"""The reference of the C++ library: a page for every public header."""

import re

# A default value with designated initialisers, which the C++ parser of Sphinx does not know.
DESIGNATED = re.compile(r"<initializer>[^<]*(?:<ref[^>]*>[^<]*</ref>[^<]*)*</initializer>")

START = """C++ library
===========

``#include <mugrad/mugrad.h>`` includes every header but those of ``mugrad::fetch`` and ``mugrad::mpi``, which are
targets of their own. Everything is in the namespace ``mugrad``.

.. toctree::
   :maxdepth: 1

"""


def public_headers(repository):
    """The public headers, relative to include/."""
    root = repository / "include"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.h"))


def write_cpp_reference(repository, folder):
    """Writes the pages below a folder, and the list of them."""
    start = START
    for header in public_headers(repository):
        name = header[: -len(".h")]
        start += f"   {name}\n"
        path = folder / f"{name}.rst"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"{header}\n{'=' * len(header)}\n\n.. doxygenfile:: {header}\n"
            "   :sections: briefdescription detaileddescription innerclass "
            "enum func var typedef define public-attrib public-func public-static-func "
            "public-static-attrib public-type user-defined\n"
        )
    (folder / "cpp.rst").write_text(start)


def simplify(xml):
    """Leaves out of Doxygen's output what Sphinx cannot read."""
    for path in xml.glob("*.xml"):
        text = path.read_text()
        simple = DESIGNATED.sub(lambda value: "" if re.search(r"[{,]\s*\.", value[0]) else value[0], text)
        if simple != text:
            path.write_text(simple)
