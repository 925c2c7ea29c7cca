# SPDX-License-Identifier: MIT
"""The reference of the command line, from the definitions that the program prints."""

import re


def escaped(text):
    """Plain text in reStructuredText."""
    text = re.sub(r"([\\*`|_<>])", r"\\\1", text)
    # A line may not end within a flag.
    return re.sub(r"(?<![\w-])(--[a-z][a-z0-9-]*)", r"``\1``", text)


def option_help(option):
    """What the help says of an option, with its choices and default."""
    text = option["help"]
    if not all(choice in text for choice in option["choices"]):
        text += ". Values: " + ", ".join(option["choices"])
    if option["default"]:
        text += f" [default: {option['default']}]"
    for key, word in (("needs", "Needs"), ("excludes", "Not with")):
        if option[key]:
            text += f". {word} {', '.join(option[key])}"
    return escaped(text)


def option_entry(option):
    """An option with its help, as an item of a definition list."""
    value = " " + option["value"] if option["value"] and option["names"][0][0] == "-" else ""
    names = ", ".join(f"``{name}{value}``" for name in option["names"])
    return f"{names}\n   {option_help(option)}\n\n"


def grouped(options):
    """Options under the headings of the help."""
    text = group = ""
    for option in options:
        if option["group"] not in (group, "Options"):
            text += f".. rubric:: {option['group']}\n\n"
        group = option["group"]
        text += option_entry(option)
    return text


def usage(command):
    """The line that begins the help of a command."""
    words = [command["name"], *(["COMMAND"] if command["commands"] else []), "[OPTIONS]"]
    for argument in command["arguments"]:
        name = argument["names"][0] + ("..." if argument["repeated"] else "")
        words.append(name if argument["required"] else f"[{name}]")
    return " ".join(words)


def section(command, underline):
    """A command, then its own commands."""
    text = f"{command['name']}\n{underline * len(command['name'])}\n\n"
    text += f"{escaped(command['summary'])}.\n\n.. code-block:: text\n\n   {usage(command)}\n\n"
    text += "".join(option_entry(argument) for argument in command["arguments"])
    text += grouped(command["options"])
    heading, _, examples = command["footer"].partition("\n")
    if examples:
        lines = "\n".join("   " + line.strip() for line in examples.splitlines())
        text += f".. rubric:: {heading.rstrip(':')}\n\n.. code-block:: sh\n\n{lines}\n\n"
    return text + "".join(section(below, "~") for below in command["commands"])


def command_reference(program):
    """The page as reStructuredText."""
    text = "Command line\n============\n\n"
    text += f"{escaped(program['summary'])}\n\n.. code-block:: text\n\n   {usage(program)}\n\n"
    text += grouped(program["options"])
    return text + "".join(section(command, "-") for command in program["commands"])
