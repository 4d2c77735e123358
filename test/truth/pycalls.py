#!/usr/bin/env python3
"""pycalls.py REPOSITORY FOLDER...: the calls in Python code as pyright resolves them.

Every call site that ast finds in the folders is put to pyright's language server
(textDocument/definition at the last name of what is called). A line of JSON for each pair
of caller and callee: {"caller", "callee", "kind", "site", "n"}, a function being
"file:line:name" with the line of its name. What is nested in a function counts to the
outermost one; calling a class reaches the class. Code for every platform counts.
PYRIGHT names pyright's langserver.index.js.
"""
import ast
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import warnings

AHEAD = 50  # how many questions are under way


class Server:
    """Pyright's language server. Writing is a thread's: the server stops reading while it writes."""

    def __init__(self, repository, folders):
        self.home = tempfile.TemporaryDirectory()
        config = {
            "pythonPlatform": "All",
            "include": folders,
            "extraPaths": [repository, os.path.join(repository, "src")],
        }
        pathlib.Path(self.home.name, "pyrightconfig.json").write_text(json.dumps(config))
        self.process = subprocess.Popen(
            ["node", os.environ["PYRIGHT"], "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.home.name,
        )
        self.out, self.answers, self.ready, self.last = queue.Queue(), {}, threading.Condition(), 0
        for work in (self.write, self.read):
            threading.Thread(target=work, daemon=True).start()
        root = pathlib.Path(self.home.name).as_uri()
        self.wait(self.ask("initialize", {
            "processId": None, "rootUri": root, "workspaceFolders": [{"uri": root, "name": "r"}],
            "capabilities": {
                "workspace": {"configuration": True, "workspaceFolders": True},
                "textDocument": {"definition": {"linkSupport": False}},
            },
        }))
        self.tell("initialized", {})

    def write(self):
        while True:
            body = json.dumps(self.out.get()).encode()
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()

    def read(self):
        while True:
            size = 0
            while True:
                head = self.process.stdout.readline()
                if not head:
                    return
                if head == b"\r\n":
                    break
                if head.lower().startswith(b"content-length"):
                    size = int(head.split(b":")[1])
            message = json.loads(self.process.stdout.read(size))
            if "method" in message and "id" in message:
                items = message["params"].get("items", []) if message["method"] == "internal/project/configuration" else None
                result = None if items is None else [{} for _ in items]
                self.out.put({"jsonrpc": "2.0", "id": message["id"], "result": result})
            elif "id" in message:
                with self.ready:
                    self.answers[message["id"]] = message
                    self.ready.notify_all()

    def tell(self, method, params):
        self.out.put({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.out.put({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def wait(self, number):
        with self.ready:
            while number not in self.answers:
                if self.process.poll() is not None:
                    sys.exit("pyright ended")
                self.ready.wait(10)
            return self.answers.pop(number).get("result") or []

    def close(self):
        self.process.kill()
        self.process.wait()
        self.home.cleanup()


class Calls(ast.NodeVisitor):
    """The functions, classes and call sites of one file."""

    def __init__(self, file, functions, sites):
        self.file, self.functions, self.sites = file, functions, sites
        self.function, self.classes = None, []

    def visit_ClassDef(self, node):
        for part in node.decorator_list + node.bases + [k.value for k in node.keywords]:
            self.visit(part)
        self.functions[self.file, node.lineno] = self.function or (node.name, node.lineno)
        self.classes.append(node.name)
        for part in node.body:
            self.visit(part)
        self.classes.pop()

    def visit_FunctionDef(self, node):
        for part in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(part)
        outer = self.function
        self.function = outer or (".".join(self.classes[-1:] + [node.name]), node.lineno)
        self.functions[self.file, node.lineno] = self.function
        for part in node.body:
            self.visit(part)
        self.function = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Call(self, node):
        called = node.func
        if isinstance(called, ast.Name):
            self.sites.append((self.file, called.lineno, called.col_offset, self.function))
        elif isinstance(called, ast.Attribute):
            self.sites.append((self.file, called.end_lineno, called.end_col_offset - len(called.attr.encode()), self.function))
        self.generic_visit(node)


def main():
    warnings.simplefilter("ignore")
    repository = os.path.realpath(sys.argv[1])
    folders = [os.path.join(repository, d) for d in sys.argv[2:]] or [repository]
    files = sorted({str(p) for d in folders for p in pathlib.Path(d).rglob("*.py")})
    server = Server(repository, folders)
    functions, sites, texts = {}, [], {}
    for file in files:
        text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace")
        texts[file] = text.split("\n")
        try:
            Calls(file, functions, sites).visit(ast.parse(text))
        except SyntaxError:
            print("passed over:", file, file=sys.stderr)
        document = {"uri": pathlib.Path(file).as_uri(), "languageId": "python", "version": 1, "text": text}
        server.tell("textDocument/didOpen", {"textDocument": document})
    pairs = {}

    def name(file, function):
        place = function or ("<module>", 1)
        return f"{os.path.relpath(file, repository)}:{place[1]}:{place[0]}"

    for start in range(0, len(sites), AHEAD):
        asked = []
        for file, line, column, function in sites[start:start + AHEAD]:
            character = len(texts[file][line - 1].encode()[:column].decode(errors="ignore"))
            where = {"textDocument": {"uri": pathlib.Path(file).as_uri()}, "position": {"line": line - 1, "character": character}}
            asked.append((server.ask("textDocument/definition", where), file, line, column, function))
        for number, file, line, column, function in asked:
            found = server.wait(number)
            found = [found] if isinstance(found, dict) else found
            for place in found:
                target = urllib.parse.unquote(place["uri"].removeprefix("file://"))
                callee = functions.get((target, place["range"]["start"]["line"] + 1))
                if callee:
                    key = name(file, function), name(target, callee)
                    site = f"{os.path.relpath(file, repository)}:{line}:{column + 1}"
                    kind = "static" if len(found) == 1 else "overload"
                    pairs.setdefault(key, {"caller": key[0], "callee": key[1], "kind": kind, "site": site, "n": 0})["n"] += 1
    server.close()
    for key in sorted(pairs):
        print(json.dumps(pairs[key]))


if __name__ == "__main__":
    main()
