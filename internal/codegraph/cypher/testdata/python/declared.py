"""What Python's own parser finds in a project, for comparison with its code graph.

    declared.py FOLDER

prints JSON: the declarations and modules of every .py file below the folder. A
declaration is what the graph makes a node of:

  * every class, wherever it stands. It is an Enum where it says that it derives
    from one of enum's classes, or from an Enum above it in the file; an Interface
    where it names typing's Protocol as a base; else a Class. Inside a function all
    are Classes: the graph tells kinds only of what others can name;
  * every def, wherever it stands: a Method when it stands in the body of a class
    (under an if or try there, too), else a Function;
  * every lambda that is given a name by an assignment: a Function. In a module only
    the first assignment to a name counts. What an attribute is set to, in the body of
    a class or by self.key = lambda, is a value, and _ is no name.

Where the graph differs from this by what it is, the difference is applied here, in
joined(): signatures without a body (overloads, and those whose body is "...")
belong to the def that they describe, so several defs are then one declaration.
"""
import ast
import json
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "TextChoices", "IntegerChoices"}


def last_name(node):
    if isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def decorator_name(node):
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def has_body(node):
    """Whether a def does something: an overload or "..." after a docstring does not."""
    if any(decorator_name(d).split(".")[-1] == "overload" for d in node.decorator_list):
        return False
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    first = body[0] if body else None
    return not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...)


class Reader(ast.NodeVisitor):
    """Collects the declarations of one file."""

    def __init__(self, tree):
        self.around = []  # (node, qualified name) of what stands around
        self.found = []
        self.enums = set()
        self.protocols = {"Protocol", "typing.Protocol", "typing_extensions.Protocol"}
        self.assigned = set()  # names that the module has assigned
        if any(isinstance(n, ast.ImportFrom) and not (n.module or "").startswith("typing")
               and any((a.asname or a.name) == "Protocol" for a in n.names) for n in tree.body):
            self.protocols = set()
        self.visit(tree)

    def add(self, node, name, label, owners, body=True):
        if name == "_":
            return
        qualified = ".".join([*(n for _, n in owners), name])
        static = any(decorator_name(d).split(".")[-1].endswith(("staticmethod", "classmethod")) for d in
                     getattr(node, "decorator_list", [])) or name in ("__new__", "__init_subclass__", "__class_getitem__")
        self.found.append({
            "qualified_name": qualified, "name": name, "label": label, "line": node.lineno, "owner": self.class_of(owners),
            "owner_line": owners[-1][0].lineno if owners else 0,
            "body": body, "static": static and label == "Method", "scope": id(owners[-1][0]) if owners else 0,
            "decorators": [decorator_name(d) for d in getattr(node, "decorator_list", [])]})

    @staticmethod
    def class_of(owners):
        return ".".join(n for _, n in owners) if owners and isinstance(owners[-1][0], ast.ClassDef) else ""

    def visit_ClassDef(self, node):
        label = "Class"
        for base in node.bases + [k.value for k in node.keywords if k.arg == "metaclass"]:
            if last_name(base) in ENUMS or base not in node.bases and last_name(base) in ("EnumMeta", "EnumType"):
                label = "Enum"
            elif isinstance(base, ast.Name) and base.id in self.enums:
                label = "Enum"
            elif ast.unparse(base.value if isinstance(base, ast.Subscript) else base) in self.protocols:
                label = "Interface"
        if any(isinstance(n, DEFS) for n, _ in self.around):
            label = "Class"
        if label == "Enum":
            self.enums.add(node.name)
        self.add(node, node.name, label, self.around)
        self.below(node)

    def visit_FunctionDef(self, node):
        label = "Method" if self.class_of(self.around) else "Function"
        self.add(node, node.name, label, self.around, has_body(node))
        self.below(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def below(self, node):
        before = self.around
        for d in node.decorator_list:
            self.visit(d)
        self.around = [*before, (node, node.name)]
        for n in node.body:
            self.visit(n)
        self.around = before

    def visit_Assign(self, node):
        for target in node.targets:
            self.assign(target, node.value)
        self.visit(node.value)

    def visit_AnnAssign(self, node):
        self.assign(node.target, node.value)
        if node.value:
            self.visit(node.value)

    def assign(self, target, value):
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else []
            for i, t in enumerate(target.elts):
                self.assign(t, values[i] if values else None)
            return
        is_lambda = isinstance(value, ast.Lambda)
        if isinstance(target, ast.Name):
            if not self.around and target.id in self.assigned:
                return
            if not self.around:
                self.assigned.add(target.id)
            if is_lambda and not self.class_of(self.around):
                self.add(target, target.id, "Function", self.around)


def joined(found):
    """Signatures without a body are one declaration with what they describe."""
    out, of = [], {}
    for d in found:
        of.setdefault((d["scope"], d["name"], d["static"], d["label"]), []).append(d)
    for d in found:
        group = of[d["scope"], d["name"], d["static"], d["label"]]
        described = next((x for x in group if x["body"]), group[0])
        if d["body"] or d is described:
            out.append({k: d[k] for k in ("qualified_name", "name", "label", "line", "owner", "owner_line", "decorators")})
    return out


def main(root):
    files = []
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_bytes())
        files.append({"path": path.relative_to(root).as_posix(), "declared": joined(Reader(tree).found),
                      "lines": len(path.read_text("utf-8", "replace").splitlines())})
    json.dump(files, sys.stdout)


main(pathlib.Path(sys.argv[1]))
