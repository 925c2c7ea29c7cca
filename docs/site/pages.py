# SPDX-License-Identifier: MIT
"""The Markdown documents of the repository as pages: README.md becomes the start page."""

import json
import pathlib
import re
import shutil

# A link or an image in Markdown, without blanks in its target.
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def listed_documents(readme):
    """The documents of README.md's table, in its order."""
    table = readme[readme.index("## Documentation") :]
    return re.findall(r"^\| \[[^]]*\]\(([^)]*)\)", table, re.MULTILINE)


def page_target(target):
    """The target of a link on the site."""
    name, hash_sign, anchor = target.partition("#")
    if name.endswith("README.md"):
        name = name[: -len("README.md")] + "index.md"
    if name.endswith(".ipynb"):
        name = name[: -len(".ipynb")] + ".md"
    return name + hash_sign + anchor


def page(text):
    """A document as a page."""
    # Sphinx has no lexer for it, and a picture of it needs a browser with a network.
    text = text.replace("```mermaid", "```text")
    # Formulas are written so that GitHub takes no character of theirs for Markdown.
    text = re.sub(r"\$`([^`]+)`\$", r"$\1$", text)
    text = re.sub(r"^```math\n(.*?)^```$", r"$$\n\1$$", text, flags=re.MULTILINE | re.DOTALL)
    return LINK.sub(lambda link: link[1] + page_target(link[2]) + link[3], text)


def output_text(output):
    """The text of an output of a notebook; pictures have none."""
    data = output.get("data", {})
    return "".join(output.get("text", data.get("text/plain", [])))


def notebook_page(path):
    """A notebook as Markdown."""
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            text = output_text(output)
            if text.strip():
                parts.append(f"```text\n{text.rstrip()}\n```")
    parts.insert(1, f"This page is the notebook {{download}}`{path.name}`.")
    return "\n\n".join(parts) + "\n"


def contents(caption, names):
    """A hidden list of contents, which the sidebar shows."""
    lines = "\n".join(names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def copy_linked_files(repository, source, document, text):
    """Copies what a document links to and what is no page, such as examples."""
    for _, target, _ in LINK.findall(text):
        path = (repository / document).parent / target.partition("#")[0]
        if "://" in target or not path.is_file() or path.suffix == ".md":
            continue
        copy = source / path.resolve().relative_to(repository)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)


def write_pages(repository, source):
    """Writes all pages but the references."""
    readme = (repository / "README.md").read_text()
    documents = listed_documents(readme)
    for document in ["README.md", *documents]:
        path = repository / document
        text = path.read_text() if path.suffix == ".md" else notebook_page(path)
        copy_linked_files(repository, source, document, path.read_text())
        if document == "README.md":
            names = [name.rpartition(".")[0] for name in documents]
            text += contents("Documents", [n for n in names if n.startswith("docs/")])
            text += contents("Reference", ["reference/command-line", "reference/python",
                                           "reference/cpp"])
            text += contents("Project", [n for n in names if not n.startswith("docs/")])
        target = source / pathlib.Path(page_target(document))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(text))
