"""ccalls.py folder parts...: the calls of functions in C code, as gcc compiles it.

Writes lines of {caller, callee, kind, site}, each end "file:line:name" below the folder, the
line being that of the name of the definition. Each C file below the parts is compiled by itself
(-fcallgraph-info, without optimisation), in a copy of the folder in which ./configure has run if
there is one and #line directives are gone. A file that does not compile on this machine is said and left out, and so are calls
through pointers. A function that was compiled has a line of the kind "compiled", with itself as the callee.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["-c", "-w", "-O0", "-fno-builtin", "-fkeep-static-functions", "-fkeep-inline-functions", "-fcallgraph-info", "-D_GNU_SOURCE",
         "-Dalways_inline=unused", "-D__always_inline__=unused"]
NODE = re.compile(r'node: \{ title: "([^"]*)" label: "([^"\\]*)\\n([^"]*)"( shape : ellipse)?')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")?')


def c_files(root, parts):
    for part in parts:
        for folder, folders, names in os.walk(os.path.join(root, part)):
            folders.sort()
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith(".c"))


def header_folders(root, parts):
    """The folders with headers below the parts and the project's include folder."""
    tops = {os.path.normpath(os.path.join(root, p)) for p in [*parts, "include"]}
    below = {d for top in tops for d, _, names in os.walk(top) if any(n.endswith(".h") for n in names)}
    return sorted({root, *below})


def plain(file):
    """Takes the #line directives out of a file, whose places would be those of another."""
    with open(file, "rb") as f:
        text = f.read()
    with open(file, "wb") as f:
        f.write(re.sub(rb"(?m)^[ \t]*#[ \t]*line\b.*$", b"", text))


def compiled(root, file, flags, out):
    """The nodes and edges of a file's call graph; None if it does not compile."""
    target = os.path.join(out, "x.o")
    done = subprocess.run(["gcc", *FLAGS, *flags, "-I" + os.path.dirname(file), file, "-o", target], cwd=root, capture_output=True, timeout=300)
    if done.returncode != 0:
        print("not compiled:", os.path.relpath(file, root), done.stderr.decode(errors="replace").split("\n")[0], file=sys.stderr)
        return None
    with open(os.path.join(out, "x.ci"), encoding="utf-8", errors="replace") as f:
        text = f.read()
    return NODE.findall(text), EDGE.findall(text)


def place(root, position):
    """file and line below the root of "file:line:column"; None for what lies elsewhere."""
    m = re.match(r"(.*):(\d+):\d+$", position)
    if not m:
        return None
    path = os.path.realpath(os.path.join(root, m[1]))
    return (os.path.relpath(path, root), int(m[2])) if path.startswith(root + os.sep) else None


def main():
    source, parts = os.path.realpath(sys.argv[1]), sys.argv[2:] or ["."]
    with tempfile.TemporaryDirectory() as work:
        root = os.path.realpath(os.path.join(work, "code"))
        shutil.copytree(source, root, symlinks=True)
        for file in c_files(root, parts):
            plain(file)
        configure = os.path.join(root, "configure")
        if os.path.exists(configure):
            subprocess.run(["sh", configure], cwd=root, capture_output=True, timeout=600)
        flags = ["-I" + d for d in header_folders(root, parts)]
        if os.path.exists(os.path.join(root, "config.h")):
            flags.append("-DHAVE_CONFIG_H")
        write(root, [g for g in (compiled(root, f, flags, work) for f in c_files(root, parts)) if g])


def write(root, graphs):
    outside = {}  # what other files can call, by name
    for nodes, _ in graphs:
        for title, label, position, elsewhere in nodes:
            at = place(root, position)
            if not elsewhere and at and ":" not in title:
                outside.setdefault(title, (*at, label))
    rows = set()
    for nodes, edges in graphs:
        ends = {}
        for title, label, position, elsewhere in nodes:
            at = place(root, position)
            if not elsewhere and at:
                ends[title] = (*at, label)
                rows.add((ends[title], ends[title], "compiled", position))
            elif elsewhere and label in outside:
                ends[title] = outside[label]
        for caller, callee, site in edges:
            if caller in ends and callee in ends and ends[caller] != ends[callee]:
                at = place(root, site)
                rows.add((ends[caller], ends[callee], "call", "%s:%d" % at if at else ""))
    for caller, callee, kind, site in sorted(rows):
        print(json.dumps({"caller": "%s:%d:%s" % caller, "callee": "%s:%d:%s" % callee, "kind": kind, "site": site}))


main()
