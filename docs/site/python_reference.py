# SPDX-License-Identifier: MIT
"""The reference of the Python package, read from its sources: it need not be built."""

import ast
import functools
import re

from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import NumpyDocstring

PACKAGE = "mugrad"
SETTINGS = Config(napoleon_use_ivar=True, napoleon_use_admonition_for_examples=False)


class Package:
    """The modules of the package as syntax trees."""

    def __init__(self, folder):
        self.folder = folder

    @functools.lru_cache(maxsize=None)
    def module(self, name):
        """The tree of a module; "" is the package itself."""
        if name == "":
            name = "__init__"
        path = self.folder / f"{name}.py"
        if not path.exists():
            path = self.folder / f"{name}.pyi"
        return ast.parse(path.read_text(encoding="utf-8"))

    def public_modules(self):
        """The package and its modules without an underscore."""
        names = (path.stem for path in self.folder.glob("*.py"))
        return ["", *sorted(name for name in names if not name.startswith("_"))]

    def public_names(self, module):
        """The names in __all__."""
        for node in self.module(module).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
                return ast.literal_eval(node.value)
        raise ValueError(f"mugrad.{module} has no __all__")

    def definition(self, module, name):
        """The module that defines a name, and its node; None if that is not in the package."""
        for node in self.module(module).body:
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                if name in (alias.asname or alias.name for alias in node.names):
                    return self.definition(node.module or "", name)
            if getattr(node, "name", None) == name:
                return module, node
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                return module, node
        return None

    def members(self, module, node):
        """The public functions of a class by name, those of its bases after its own."""
        found = {}
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                found.setdefault(member.name, member)
        for base in node.bases:
            inherited = isinstance(base, ast.Name) and self.definition(module, base.id)
            if inherited:
                for name, member in self.members(*inherited).items():
                    found.setdefault(name, member)
        return found

    def constructor(self, module, node):
        """The __init__ of a class or of its bases."""
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and member.name == "__init__":
                return member
        for base in node.bases:
            inherited = isinstance(base, ast.Name) and self.definition(module, base.id)
            if inherited and (found := self.constructor(*inherited)):
                return found
        return None


def is_marked(function, decorator):
    """Whether a function has a decorator."""
    return any(getattr(d, "id", None) == decorator for d in function.decorator_list)


def signature(function, is_method):
    """The parameters of a function with their defaults."""
    arguments = function.args
    if is_method and not is_marked(function, "staticmethod"):
        first = arguments.posonlyargs or arguments.args
        arguments = ast.arguments(
            posonlyargs=arguments.posonlyargs[1:],
            args=arguments.args if arguments.posonlyargs else arguments.args[1:],
            vararg=arguments.vararg,
            kwonlyargs=arguments.kwonlyargs,
            kw_defaults=arguments.kw_defaults,
            kwarg=arguments.kwarg,
            defaults=arguments.defaults,
        )
        assert first, function.name
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(arguments)}){returns}"


def indented(text):
    """The lines one level deeper."""
    return "\n".join("   " + line if line else "" for line in text.splitlines())


def literal(text):
    """Formulas and names with a trailing underscore as they are, outside of code."""
    parts = re.split(r"(``[^`]*``|:ivar [^:]*:|:vartype [^:]*:)", text)
    parts[::2] = (re.sub(r"\||(?<=\w)_(?=\W|$)", r"\\\g<0>", part) for part in parts[::2])
    return "".join(parts)


def described(node, what):
    """The docstring of a node in reStructuredText."""
    lines, in_example = [], False
    for line in NumpyDocstring(ast.get_docstring(node) or "", SETTINGS, what=what).lines():
        in_example = line.startswith(">>>") or (in_example and line != "")
        lines.append(line if in_example else literal(line))
    return "\n".join(lines)


def directive(kind, head, body):
    """A directive of the Python domain."""
    return f".. py:{kind}:: {head}\n\n{indented(body)}\n"


def member_text(name, member):
    """A method or property."""
    if is_marked(member, "property"):
        return directive("property", name, described(member, "property"))
    return directive("method", name + signature(member, True), described(member, "method"))


def class_text(package, module, node):
    """A class with its methods, inherited ones too."""
    init = package.constructor(module, node)
    head = node.name + (signature(init, True).partition(" -> ")[0] if init else "")
    body = described(node, "class")
    for name, member in sorted(package.members(module, node).items()):
        if ast.get_docstring(member):
            body += "\n" + member_text(name, member)
    return directive("class", head, body)


def entry(package, module, name):
    """A public name."""
    found = package.definition(module, name)
    if found is None:
        raise ValueError(f"{PACKAGE}.{module} does not define {name}")
    defined_in, node = found
    if isinstance(node, ast.ClassDef):
        return class_text(package, defined_in, node)
    if isinstance(node, ast.FunctionDef):
        return directive("function", name + signature(node, False), described(node, "function"))
    return directive("data", name, "")


def full_name(module):
    """The name by which a module is imported."""
    return f"{PACKAGE}.{module}" if module else PACKAGE


def heading(text, line):
    """A title."""
    return f"{text}\n{line * len(text)}\n\n"


def module_page(package, module):
    """A page for all names of a module."""
    name = full_name(module)
    text = heading(name, "=") + f".. py:module:: {name}\n\n"
    text += ast.get_docstring(package.module(module)) + "\n\n"
    for public in package.public_names(module):
        text += heading(public, "-") + entry(package, module, public) + "\n"
    return text


def name_page(package, name):
    """A page for one name of the package itself."""
    text = heading(name, "=") + f".. py:currentmodule:: {PACKAGE}\n\n"
    return text + entry(package, "", name)


def write_python_reference(folder, target):
    """Writes pages below a folder, and the list of them."""
    package = Package(folder)
    (target / "python").mkdir(parents=True, exist_ok=True)
    start = heading("Python package", "=") + f".. py:module:: {PACKAGE}\n\n"
    start += ast.get_docstring(package.module("")) + "\n\n"
    pages = {name: name_page(package, name) for name in package.public_names("")}
    pages |= {full_name(m): module_page(package, m) for m in package.public_modules() if m}
    start += ".. toctree::\n   :maxdepth: 1\n\n"
    for name, text in pages.items():
        start += f"   python/{name}\n"
        (target / "python" / f"{name}.rst").write_text(text)
    (target / "python.rst").write_text(start)
