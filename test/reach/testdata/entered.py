"""A plugin of pytest that notes which tests call functions of some files, without those that importing calls, and which
tests are in files that name these files: import them, or what they declare."""

import ast
import os
import sys
import threading
import types

import pytest

SOURCES = {os.path.realpath(p) for p in os.environ["REACH_SOURCES"].split(os.pathsep)}
entered = [False]
naming = {}


def declared(value):
    try:
        return made_here(value)
    except Exception:  # a proxy of what does not exist now
        return False


def made_here(value):
    home = getattr(value, "__module__", None) or getattr(value, "__name__", None)
    made = sys.modules.get(home) if isinstance(home, str) else None
    path = getattr(value, "__file__", None) or getattr(made, "__file__", None)
    return path is not None and os.path.realpath(path) in SOURCES


def names(module):
    """Tells whether a module of tests imports one of the files or what it declares, or selects that from a package."""
    if module.__file__ not in naming:
        values = vars(module)
        tree = ast.parse(open(module.__file__, encoding="utf-8").read())
        selected = [
            vars(values[n.value.id]).get(n.attr)
            for n in ast.walk(tree)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and isinstance(values.get(n.value.id), types.ModuleType)
        ]
        naming[module.__file__] = any(declared(v) for v in [*values.values(), *selected])
    return naming[module.__file__]


def watch(frame, event, arg):
    if event == "call" and not entered[0]:
        made = frame.f_code
        if made.co_filename in SOURCES and made.co_name not in ("<module>", "<lambda>") and made.co_flags & 0x2:
            entered[0] = True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    entered[0] = False
    threading.setprofile(watch)
    sys.setprofile(watch)
    yield
    sys.setprofile(None)
    threading.setprofile(None)
    if getattr(item, "reach_skipped", False):
        return
    with open(os.environ["REACH_RESULT"], "a") as out:
        out.write(f"{int(entered[0])} {int(names(item.module))} {item.nodeid}\n")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if outcome.get_result().skipped:
        item.reach_skipped = True
