"""rustcalls.py folder [feature...]: the calls in a Rust crate without dependencies, as rustc resolves them.

Writes lines of {caller, callee, kind, site}, each end "file:line:name" below the folder, the line being that of the name. It
needs a rustc that still has -Zsave-analysis (1.63, Debian's; RUSTC names it). A call is a reference to a function or method that
brackets follow. One of a trait's method is of the method that the trait declares, even where the type is known. Calls count to
the outermost function around them. A function that was compiled has a line of the kind "compiled" with itself as the callee.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

# What is no code: comments, strings, characters (but no lifetimes).
QUIET = re.compile(r"""//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^']*|[^'\\])'""", re.S)


def analysis(root, features):
    """What rustc says of the crate."""
    with open(os.path.join(root, "Cargo.toml"), encoding="utf-8") as f:
        manifest = f.read()
    edition = re.search(r'^edition\s*=\s*"(\d+)"', manifest, re.M)
    with tempfile.TemporaryDirectory() as out:
        command = [os.environ.get("RUSTC", "rustc"), "--crate-type", "lib", "--crate-name", "c", "--edition", edition[1] if edition else "2015",
                   os.path.join(root, "src/lib.rs"), "-Zsave-analysis", "--emit", "metadata", "--out-dir", out, "--cap-lints", "allow"]
        for feature in features:
            command += ["--cfg", 'feature="%s"' % feature]
        done = subprocess.run(command, cwd=root, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, capture_output=True, timeout=600)
        if done.returncode != 0:
            sys.exit(done.stderr.decode(errors="replace")[:400])
        with open(glob.glob(out + "/save-analysis/*.json")[0], encoding="utf-8") as f:
            return json.load(f)


class File:
    """A source file, its strings and comments blanked, and the functions in it."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.text = QUIET.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
        self.lines = [0] + [m.end() for m in re.finditer("\n", self.text)]
        self.functions = []  # (start, end, place)

    def offset(self, span, end=False):
        part = "end" if end else "start"
        return self.lines[span["line_" + part] - 1] + span["column_" + part] - 1

    def add(self, start, place):
        """Adds a function by the offset of its name, if it has a body."""
        depth = 0
        for i in range(start, len(self.text)):
            c = self.text[i]
            if c in "([":
                depth += 1
            elif c in ")]":
                depth -= 1
            elif c == ";" and depth == 0:
                return
            elif c == "{" and depth == 0:
                self.functions.append((start, self.closing(i), place))
                return

    def closing(self, i):
        depth = 0
        for m in re.compile("[{}]").finditer(self.text, i):
            depth += 1 if m[0] == "{" else -1
            if depth == 0:
                return m.end()
        return len(self.text)

    def around(self, at):
        """The outermost function around an offset."""
        return min((f for f in self.functions if f[0] < at < f[1]), default=(0, 0, None))[2]

    def is_called(self, end):
        rest = self.text[end:end + 400].lstrip()
        if rest.startswith("::<"):
            depth = 0
            for i, c in enumerate(rest):
                depth += {"<": 1, ">": -1}.get(c, 0) if rest[i - 1:i + 1] != "->" else 0
                if c == ">" and depth == 0:
                    rest = rest[i + 1:].lstrip()
                    break
        return rest.startswith("(")


def main():
    root = os.path.realpath(sys.argv[1])
    said = analysis(root, sys.argv[2:])
    files, places, rows = {}, {}, set()

    def file(span):
        path = os.path.realpath(os.path.join(root, span["file_name"]))
        if not path.startswith(root + os.sep):
            return None
        if path not in files:
            files[path] = File(path)
        return files[path]

    for d in said["defs"]:
        f = file(d["span"]) if d["kind"] in ("Function", "Method") else None
        if f:
            path = os.path.relpath(os.path.realpath(os.path.join(root, d["span"]["file_name"])), root)
            place = "%s:%d:%s" % (path, d["span"]["line_start"], d["name"])
            start = f.offset(d["span"])
            if f.text[start:start + len(d["name"])] == d["name"]:
                places[d["id"]["krate"], d["id"]["index"]] = place
                f.add(start, place)
    for f in files.values():
        rows.update((p, p, "compiled", "") for _, _, p in f.functions)
    for r in said["refs"]:
        to = places.get((r["ref_id"]["krate"], r["ref_id"]["index"])) if r["kind"] == "Function" else None
        f = file(r["span"]) if to else None
        if f and f.is_called(f.offset(r["span"], True)):
            caller = f.around(f.offset(r["span"]))
            if caller and caller != to:
                rows.add((caller, to, "call", "%s:%d" % (caller.split(":")[0], r["span"]["line_start"])))
    for caller, callee, kind, site in sorted(rows):
        print(json.dumps({"caller": caller, "callee": callee, "kind": kind, "site": site}))


main()
