# SPDX-License-Identifier: MIT
"""Checks the links between the pages of a site, with their anchors."""

import html.parser
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, path):
        super().__init__()
        self.anchors = {""}
        self.targets = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        """Collects them."""
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value is not None:
                self.targets.append(value)


def problem_of(target, page, pages):
    """What is wrong with a link of a page, or None."""
    parts = urllib.parse.urlsplit(target)
    if parts.scheme or parts.netloc:
        local = parts.scheme in ("data", "mailto")
        is_resource = not local and target.endswith((".js", ".css"))
        return "needs the network" if is_resource else None
    path = page
    if parts.path:
        path = (page.parent / urllib.parse.unquote(parts.path)).resolve()
    if not path.exists():
        return "does not exist"
    if path in pages and urllib.parse.unquote(parts.fragment) not in pages[path].anchors:
        return "is no anchor of that page"
    return None


def dead_links(folder):
    """Every dead link below a folder, as a line of text."""
    folder = folder.resolve()
    # The pages of MathJax are not ours.
    paths = [p for p in folder.rglob("*.html") if "_static" not in p.relative_to(folder).parts]
    pages = {path: Page(path) for path in paths}
    found = []
    for path, page in sorted(pages.items()):
        for target in page.targets:
            problem = problem_of(target, path, pages)
            if problem:
                found.append(f"{path.relative_to(folder)}: {target} {problem}")
    return found
