# SPDX-License-Identifier: MIT
"""Checks that a site has every public header and every public name of the Python package."""

import check_links
import cpp_reference
import python_reference


def missing_headers(repository, folder):
    """Headers without a page, or with one that defines nothing."""
    for header in cpp_reference.public_headers(repository):
        page = folder / "reference" / header.replace(".h", ".html")
        # mugrad.h only includes the others.
        if not page.exists() or (header != "mugrad/mugrad.h" and "cpp " not in page.read_text()):
            yield header


def missing_names(repository, folder):
    """Names in __all__ of a public module that no page defines."""
    package = python_reference.Package(repository / "python/mugrad")
    anchors = set()
    for page in (folder / "reference/python").glob("*.html"):
        anchors |= check_links.Page(page).anchors
    for module in package.public_modules():
        for name in package.public_names(module):
            full_name = f"{python_reference.full_name(module)}.{name}"
            if full_name not in anchors:
                yield full_name


def missing_contents(repository, folder):
    """What a complete site has and this one lacks."""
    return [*missing_headers(repository, folder), *missing_names(repository, folder)]
