"""What the interpreter itself reads in Python files, for comparison.

    truth.py symbols MODULE ...   each file of the modules: its source and symbols
    truth.py normalise            signatures and expressions on stdin, as ast.unparse writes them
    truth.py public               files with the blocks of their specs on stdin: the public
                                  functions, classes, methods and variables of both

Answers are JSON on stdout. Declarations of one name at one level stand together,
as the reader joins them: definitions before assignments, overloads before what
implements them.
"""
import ast
import importlib.util
import io
import json
import pathlib
import sys
import tokenize
import warnings

warnings.simplefilter("ignore")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))


def files(module):
    spec = importlib.util.find_spec(module)
    if not spec.submodule_search_locations:
        path = pathlib.Path(spec.origin)
        return [(path.name, path)]
    root = pathlib.Path(spec.origin).parent
    found = sorted(p for p in root.rglob("*.py") if "test" not in p.parts and "tests" not in p.parts)
    return [(str(p.relative_to(root.parent)), p) for p in found]


def head(node):
    """A definition without decorators, documentation and body."""
    fields = {f: getattr(node, f) for f in node._fields}
    fields.update(body=[ast.Pass()], decorator_list=[])
    return ast.unparse(ast.fix_missing_locations(type(node)(**fields, lineno=1, col_offset=0)))


def targets(node):
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Starred):
        return targets(node.value)
    if isinstance(node, (ast.Tuple, ast.List)):
        return [name for item in node.elts for name in targets(item)]
    return []


def decorators(node):
    return {ast.unparse(d).split("(")[0].split(".")[-1] for d in node.decorator_list}


def text(node):
    return ast.unparse(node) if node else ""


def params(node, owner):
    if isinstance(node, ast.ClassDef):
        return []
    a = node.args
    plain = [(p, "positional") for p in a.posonlyargs] + [(p, "") for p in a.args]
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    out = [[p.arg, mode, text(p.annotation), text(d), False] for (p, mode), d in zip(plain, defaults)]
    if owner and out and not any("staticmethod" in d for d in decorators(node)):
        out = out[1:]
    if a.vararg:
        out.append([a.vararg.arg, "positional", text(a.vararg.annotation), "", True])
    out += [[p.arg, "keyword", text(p.annotation), text(d), False] for p, d in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        out.append([a.kwarg.arg, "keyword", text(a.kwarg.annotation), "", True])
    return out


def declarations(body, owner, out):
    for node in body:
        if isinstance(node, DEFINITIONS):
            name = f"{owner}.{node.name}" if owner else node.name
            out.append((name, node, owner))
            if isinstance(node, ast.ClassDef):
                declarations(node.body, name, out)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in getattr(node, "targets", None) or [node.target]:
                out += [(f"{owner}.{n}" if owner else n, node, owner) for n in targets(target)]
        elif type(node).__name__ == "TypeAlias":  # since Python 3.12
            out.append((f"{owner}.{node.name.id}" if owner else node.name.id, node, owner))
        elif isinstance(node, (ast.If, ast.With) + TRY):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for item in getattr(node, part, []):
                    nested = item.body if isinstance(item, ast.ExceptHandler) else [item]
                    declarations(nested, owner, out)


def joined(name, group):
    owner = group[0][1]
    nodes = [n for n, _ in group]
    defined = [n for n in nodes if isinstance(n, DEFINITIONS)]
    written = any("setter" in decorators(n) for n in defined)
    used = [n for n in defined if not written or "deleter" not in decorators(n)]
    overloads = [n for n in used if "overload" in decorators(n)]
    first = defined[0] if defined else nodes[0]
    if isinstance(first, ast.ClassDef):
        kind = "class"
    elif defined:
        kind = "method" if owner else "function"
    else:
        kind = "field" if owner else "var"
    return {
        "name": name,
        "kind": kind,
        "line": first.lineno,
        "end": max(n.end_lineno for n in nodes),
        "signatures": sorted({head(n) for n in overloads or used}),
        "doc": next((d for d in (ast.get_docstring(n) for n in defined) if d), ""),
        "params": params(first, owner) if defined else [],
        "returns": text(getattr(first, "returns", None) or getattr(first, "annotation", None)),
    }


def symbols(module):
    for name, path in files(module):
        source = path.read_bytes()
        tree = ast.parse(source)
        found, groups = [], {}
        declarations(tree.body, "", found)
        for qualified, node, owner in found:
            groups.setdefault(qualified, []).append((node, owner))
        yield {
            "file": name,
            "source": source.decode("utf-8"),
            "doc": ast.get_docstring(tree) or "",
            "symbols": [joined(n, g) for n, g in groups.items()],
            "rewritten": ast.unparse(tree),
        }


def is_public(name, listed):
    """What __all__ lists, what others import, and what no underscore says they should not."""
    first, *rest = name.split(".")
    if first.startswith("_") and first not in (listed or []):
        return False
    return all(not r.startswith("_") or r.startswith("__") and r.endswith("__") for r in rest)


def told(source):
    """Name -> the heads of what it is, or "variable"; of fields nothing is said."""
    found, out = [], {}
    declarations(ast.parse(source).body, "", found)
    for name, node, owner in found:
        if isinstance(node, DEFINITIONS):
            out.setdefault(name, []).append(head(node))
        elif not owner:
            out.setdefault(name, [])
    return {name: sorted(set(heads)) or ["variable"] for name, heads in out.items()}


def listed_names(source):
    """What __all__ says where it is written out; else None."""
    names = None
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and targets(node.targets[0]) == ["__all__"]:
            value = node.value
        elif isinstance(node, ast.AugAssign) and targets(node.target) == ["__all__"]:
            value = node.value
        elif isinstance(node, ast.Expr) and ast.unparse(node).startswith("__all__.extend("):
            value = node.value.args[0]
        else:
            continue
        try:
            names = (names or []) + list(ast.literal_eval(value))
        except ValueError:
            return None
    return names


def complete(block):
    """Gives bodies to the definitions in a block, and values to bare names."""
    rows, out, logical = block.splitlines(), [], []
    for token in tokenize.generate_tokens(io.StringIO(block).readline):
        if token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER):
            continue
        if token.type != tokenize.NEWLINE:
            logical.append(token)
            continue
        first, last = logical[0], logical[-1]
        lines = rows[first.start[0] - 1 : last.end[0]]
        lines[-1] = lines[-1][: last.end[1]]  # without a comment
        if first.string in ("def", "async", "class"):
            lines[-1] += "" if last.string == ":" else ":"
            lines.append(" " * (first.start[1] + 4) + "pass")
        elif len(logical) == 1:
            lines[-1] += " = 0"
        out, logical = out + lines, []
    return "\n".join(out)


def definition(signature):
    return head(ast.parse(signature + ": pass").body[0])


def expression(written):
    return ast.unparse(ast.parse(f"f({written})", mode="eval").body.args[0])


def tried(function, item):
    try:
        return function(item)
    except SyntaxError as error:
        return f"{error}: {item}"


if sys.argv[1:2] == ["symbols"]:
    answer = [file for module in sys.argv[2:] for file in symbols(module)]
elif sys.argv[1:2] == ["normalise"]:
    asked = json.load(sys.stdin)
    answer = {
        "definitions": [tried(definition, s) for s in asked["definitions"] or []],
        "expressions": [tried(expression, s) for s in asked["expressions"] or []],
    }
elif sys.argv[1:2] == ["public"]:
    answer = []
    for file in json.load(sys.stdin):
        listed, spec, beside = listed_names(file["source"]), {}, set()
        for block in file["blocks"]:
            spec.update(told(complete(block)))
            for node in ast.parse(complete(block)).body:
                if isinstance(node, ast.Assign) and len(node.targets) > 1:  # a = _b = c shows _b too
                    beside.update(n for t in node.targets for n in targets(t) if not is_public(n, listed))
        spec = {name: what for name, what in spec.items() if name not in beside}
        truth = {name: what for name, what in told(file["source"]).items() if is_public(name, listed)}
        answer.append({"file": file["file"], "truth": truth, "told": spec})
else:
    sys.exit(__doc__)
json.dump(answer, sys.stdout)
