# SPDX-License-Identifier: MIT
"""The reference of the C++ library: a page for every public header."""

import re
import xml.etree.ElementTree as xml

START = """C++ library
===========

``#include <mugrad/mugrad.h>`` includes every header but those of ``mugrad::fetch`` and ``mugrad::mpi``, which are
targets of their own. Everything is in the namespace ``mugrad``.

.. toctree::
   :maxdepth: 1

"""

# A comment on what a whole header is about stands before its namespace.
INTRODUCTION = re.compile(r"^((?:///.*\n)+)namespace ", re.MULTILINE)
# A default value with designated initialisers, which the C++ parser of Sphinx does not know.
DESIGNATED = re.compile(r"[{,]\s*\.[a-z]")
SECTIONS = """briefdescription detaileddescription innerclass innernamespace enum func var typedef
   define public-attrib public-func public-static-func public-static-attrib public-type
   user-defined"""


def public_headers(repository):
    """The public headers, relative to include/."""
    root = repository / "include"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.h"))


def introduction(text):
    """What a header says of all that is in it."""
    found = INTRODUCTION.search(text)
    lines = found[1].splitlines() if found else []
    return "\n".join(line.removeprefix("///").strip() for line in lines)


def header_page(header, text):
    """The page of a header."""
    title = header.removeprefix("mugrad/")
    return (
        f"{title}\n{'=' * len(title)}\n\n``#include <{header}>``\n\n{introduction(text)}\n\n"
        f".. doxygenfile:: {header}\n   :sections: {' '.join(SECTIONS.split())}\n"
    )


def write_cpp_reference(repository, folder):
    """Writes the pages below a folder, and the list of them."""
    start = START
    for header in public_headers(repository):
        name = header.removesuffix(".h")
        start += f"   {name}\n"
        path = folder / f"{name}.rst"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(header_page(header, (repository / "include" / header).read_text()))
    (folder / "cpp.rst").write_text(start)


def simplify_compound(compound):
    """Leaves out of a part of Doxygen's output what the pages should not have."""
    if compound.get("kind") == "namespace":
        # It merges the introductions of all headers.
        for kind in ("briefdescription", "detaileddescription"):
            compound.remove(compound.find(kind))
    for member in compound.iter("memberdef"):
        value = member.find("initializer")
        if value is not None and DESIGNATED.search("".join(value.itertext())):
            member.remove(value)


def simplify(folder):
    """The same for all of Doxygen's output."""
    for path in folder.glob("*.xml"):
        tree = xml.parse(path)
        for compound in tree.iter("compounddef"):
            simplify_compound(compound)
        tree.write(path, encoding="UTF-8", xml_declaration=True)
