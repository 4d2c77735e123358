#!/usr/bin/env python3
"""pycalls.py ROOT FOLDER ...: the calls in a Python code base, as pyright sees them.

A JSON line for each pair of a function and one that it calls: {caller, callee,
kind, site}, each "file:line:name" with the line of the def. Every call site that
`ast` finds is put to pyright's language server as "go to definition" of the
called name. Functions nested in one count to the outermost; calls outside
functions have the caller "file:1:<module>". A call of a class counts as one of
its __init__ when pyright says so, else of the class.

Needs node, and in PYRIGHT the path of pyright's langserver.index.js.
"""

import ast
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import urllib.parse
import warnings

# How many questions are put at once, and how many seconds an answer may take.
BATCH = 50
PATIENCE = 120


class Server:
    """A language server on stdin and stdout."""

    def __init__(self, command, root):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root)
        self.arrived = threading.Condition()
        self.answers = {}
        self.asked = 0
        self.outgoing = queue.SimpleQueue()  # written by one thread, so that reading never waits for it
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, method, params):
        self._send({'jsonrpc': '2.0', 'method': method, 'params': params})

    def ask(self, method, params):
        """Puts a question and returns the number to get its answer by."""
        self.asked += 1
        self._send({'jsonrpc': '2.0', 'id': self.asked, 'method': method, 'params': params})
        return self.asked

    def get(self, number):
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, PATIENCE):
                sys.exit('pycalls: pyright does not answer')
            return self.answers.pop(number)

    def _send(self, message):
        self.outgoing.put(json.dumps(message).encode())

    def _write(self):
        while True:
            body = self.outgoing.get()
            self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
            self.process.stdin.flush()

    def _read(self):
        while (message := self._message()) is not None:
            if 'method' in message and 'id' in message:  # it asks for its configuration
                nothing = [{} for _ in message['params'].get('items', [])] if message['method'] == 'workspace/configuration' else None
                self._send({'jsonrpc': '2.0', 'id': message['id'], 'result': nothing})
            elif 'id' in message:
                with self.arrived:
                    self.answers[message['id']] = message
                    self.arrived.notify_all()

    def _message(self):
        length = 0
        while (header := self.process.stdout.readline()) != b'\r\n':
            if not header:
                return None
            if header.lower().startswith(b'content-length'):
                length = int(header.split(b':')[1])
        return json.loads(self.process.stdout.read(length))


class Reader(ast.NodeVisitor):
    """Finds the definitions and the call sites of a file."""

    def __init__(self):
        self.definitions = {}  # line -> (name, line), nested functions as the outermost
        self.sites = []  # (line, column in bytes of the called name, the function around)
        self.function = None
        self.classes = []

    def visit_ClassDef(self, node):
        for outside in node.decorator_list + node.bases + [k.value for k in node.keywords]:
            self.visit(outside)
        self.definitions[node.lineno] = self.function or (node.name, node.lineno)
        self.classes.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self.classes.pop()

    def visit_FunctionDef(self, node):
        for outside in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(outside)
        around = self.function
        self.function = around or ('.'.join(self.classes[-1:] + [node.name]), node.lineno)
        self.definitions[node.lineno] = self.function
        for statement in node.body:
            self.visit(statement)
        self.function = around

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Call(self, node):
        called = node.func
        if isinstance(called, ast.Name):
            self.sites.append((called.lineno, called.col_offset, self.function))
        elif isinstance(called, ast.Attribute):
            self.sites.append((called.end_lineno, called.end_col_offset - len(called.attr.encode()), self.function))
        self.generic_visit(node)


def uri(file):
    return pathlib.Path(file).as_uri()


def path(location):
    return urllib.parse.unquote(urllib.parse.urlparse(location['uri']).path)


def collect(server, root, files):
    """Returns the pairs of the files, by caller and callee."""
    readers, texts = {}, {}
    for file in files:
        text = pathlib.Path(file).read_text(encoding='utf-8', errors='replace')
        readers[file], texts[file] = Reader(), text.split('\n')
        try:
            readers[file].visit(ast.parse(text))
        except SyntaxError:
            print('pycalls: no Python:', file, file=sys.stderr)
        server.tell('textDocument/didOpen', {'textDocument': {'uri': uri(file), 'languageId': 'python', 'version': 1, 'text': text}})

    def identity(file, function):
        name, line = function or ('<module>', 1)
        return f'{os.path.relpath(file, root)}:{line}:{name}'

    pairs = {}
    sites = [(file, *site) for file in files for site in readers[file].sites]
    for start in range(0, len(sites), BATCH):
        batch = []
        for file, line, column, function in sites[start:start + BATCH]:
            character = len(texts[file][line - 1].encode()[:column].decode(errors='ignore'))
            place = {'textDocument': {'uri': uri(file)}, 'position': {'line': line - 1, 'character': character}}
            batch.append((server.ask('textDocument/definition', place), file, line, column, function))
        for number, file, line, column, function in batch:
            found = server.get(number).get('result') or []
            for location in found if isinstance(found, list) else [found]:
                target = path(location)
                definition = readers[target].definitions.get(location['range']['start']['line'] + 1) if target in readers else None
                if not definition:
                    continue
                pair = (identity(file, function), identity(target, definition))
                kind = 'static' if len(found) == 1 else 'overload'
                pairs.setdefault(pair, (kind, f'{os.path.relpath(file, root)}:{line}:{column + 1}'))
    return pairs


def main():
    warnings.simplefilter('ignore')  # of the code that is read
    root, folders = os.path.realpath(sys.argv[1]), sys.argv[2:] or ['.']
    files = sorted({str(f) for folder in folders for f in pathlib.Path(root, folder).rglob('*.py')})
    server = Server(['node', os.environ['PYRIGHT'], '--stdio'], root)
    server.get(server.ask('initialize', {
        'processId': None, 'rootUri': uri(root), 'workspaceFolders': [{'uri': uri(root), 'name': 'root'}],
        'capabilities': {'workspace': {'configuration': True, 'workspaceFolders': True}, 'textDocument': {'definition': {'linkSupport': False}}},
    }))
    server.tell('initialized', {})
    pairs = collect(server, root, files)
    server.process.kill()
    server.process.wait()
    for caller, callee in sorted(pairs):
        kind, site = pairs[caller, callee]
        print(json.dumps({'caller': caller, 'callee': callee, 'kind': kind, 'site': site}))


if __name__ == '__main__':
    main()
