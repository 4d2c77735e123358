package lang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPythonFormattingKeepsHashes checks that black and ruff format do not change hashes.
func TestPythonFormattingKeepsHashes(t *testing.T) {
	for name, pair := range map[string][2]string{
		"quotes":            {`x = 'it''s' + u"a" + R'\d' + B"b"`, "x = \"its\" + 'a' + r\"\\d\" + b'b'"},
		"escaped quotes":    {`x = 'it\'s "so"'`, `x = "it's \"so\""`},
		"escapes":           {`x = "\X41" "\x1B\u00E9"`, `x = "\X41\x1b\u00e9"`},
		"joined strings":    {"x = (\n    'a'\n    f'{b}c'\n    \"d\"\n)", `x = f"a{b}cd"`},
		"templates":         {`x = f'{a!r:>{b}} {c["d"]} {{}}'`, `x = F"{ a !r:>{ b }} {c['d']} {{}}"`},
		"numbers":           {"x = 0XFF + 1E5 + 10J + 1_000 + 0B11", "x = 0xFF + 1e5 + 10j + 1000 + 0b11"},
		"brackets":          {"def f(a):\n  return(a)\n", "def f(a):\n    return a\n"},
		"brackets in tests": {"if (a): pass\nwhile(b): c = (1)\nassert(d), (e)", "if a:\n    pass\nwhile b:\n    c = 1\nassert d, e"},
		"call":              {"print (x)", "print(x)"},
		"trailing commas":   {"x = f(a, b)[c, d]\ny = [1, 2]", "x = f(\n    a,\n    b,\n)[c, d,]\ny = [\n    1,\n    2,\n]"},
		"parameters": {
			"def f(a, *, b = 1, ** c)->int : pass", "def f(\n    a,\n    *,\n    b=1,\n    **c,\n) -> int:\n    pass\n",
		},
		"annotations":    {"def f(a: (int|None)) -> (Dict[str, a.B] | None | int): ...", "def f(\n    a: int | None,\n) -> Dict[str, a.B] | None | int: ..."},
		"continued":      {"x = a + \\\n    b\nassert x, \\\n  y", "x = a + b\nassert x, y"},
		"dots":           {"def f():\n    return (a.\nb)", "def f():\n    return a.b"},
		"semicolons":     {"a = 1; b = 2;", "a = 1\nb = 2"},
		"one line":       {"class A: x = 1; y = 2\nfor a in b: c()", "class A:\n    x = 1\n    y = 2\n\n\nfor a in b:\n    c()"},
		"empty brackets": {"class A(): pass", "class A:\n    pass"},
		"tuples":         {"for (a, b) in (c, d): x = (1, 2)\n(y, z) = w\ndel (a, b)", "for a, b in c, d:\n    x = 1, 2\ny, z = w\ndel a, b"},
		"single tuples":  {"a, = b\nx = c,", "(a,) = b\nx = (c,)"},
		"with": {
			"def f():\n with open(a) as b, \\\n   c: pass", "def f():\n    with (\n        open(a) as b,\n        c,\n    ):\n        pass",
		},
		"match":       {"def f(x):\n match (x):\n  case (1): pass\n  case (a, b): pass", "def f(x):\n    match x:\n        case 1:\n            pass\n        case a, b:\n            pass"},
		"exceptions":  {"def f():\n try: pass\n except (A, B, C): pass", "def f():\n    try:\n        pass\n    except A, B, C:\n        pass"},
		"generators":  {"x = any((a for a in b))", "x = any(a for a in b)"},
		"else if":     {"def f():\n if a: return 1\n else:\n  if b: return 2\n  else: return 3", "def f():\n    if a:\n        return 1\n    elif b:\n        return 2\n    else:\n        return 3"},
		"docstrings":  {"def f():\n 'Old  docs.'\n return 1\nclass A:\n '''A.'''\n x = 1\n 'of x'", "def f():\n    \"\"\"New docs.\"\"\"\n    return 1\n\n\nclass A:\n    x = 1"},
		"comments":    {"# a\ndef f(  # b\n a): # c\n  # d\n  return a # e", "def f(a):\n    return a\n"},
		"decorators":  {"@(a)\n@ b . c\ndef f(): ...", "@a\n@b.c\ndef f(): ..."},
		"type params": {"def f [T=int,*Ts] (a): ...\ntype X [T = 'a'] = T", "def f[T = int, *Ts](\n    a,\n): ...\n\n\ntype X[T = \"a\",] = T"},
		"long values": {"TABLE = {'a': [1, 2], 'b': (lambda: 3)}", "TABLE = {\n    \"a\": [1, 2],\n    \"b\": (\n        lambda: 3\n    ),\n}"},
		"line ends":   {"def f():\r\n\tx = '''a\r\nb'''\r\n\treturn x\r\n", "def f():\n    x = \"\"\"a\nb\"\"\"\n    return x\n"},
		"imports":     {"import a\nfrom b import (c, d)\nx = 1", "from b import (\n    d,\n    c,\n)\nimport a\n\nx = 1"},
	} {
		t.Run(name, func(t *testing.T) {
			was, is := parsePython(t, "a.py", pair[0]), parsePython(t, "a.py", pair[1])
			if len(was.ParseErrors)+len(is.ParseErrors) > 0 {
				t.Fatalf("parse errors %v and %v", was.ParseErrors, is.ParseErrors)
			}
			if diff := cmp.Diff(hashes(nil, was.Symbols, ""), hashes(nil, is.Symbols, "")); diff != "" {
				t.Errorf("hashes differ (-written +formatted):\n%s", diff)
			}
			if was.Digest.Tokens != is.Digest.Tokens {
				t.Errorf("the tokens differ")
			}
		})
	}
}

// TestPythonDocstringKeepsHashes checks that an edited docstring does not change the hash of
// the code.
func TestPythonDocstringKeepsHashes(t *testing.T) {
	was := parsePython(t, "a.py", "\"\"\"Old.\"\"\"\ndef f():\n    '''Old.'''\n    return 1\n")
	is := parsePython(t, "a.py", "\"\"\"New.\"\"\"\ndef f():\n    '''New.'''\n    return 1\n")
	quoted := parsePython(t, "a.py", "'''Old.'''\ndef f():\n    r\"Old.\"\n    return 1\n")
	if was.Digest.Comments == is.Digest.Comments || was.Digest.Comments != quoted.Digest.Comments {
		t.Errorf("comments: old %s, new %s, old in other quotes %s", was.Digest.Comments, is.Digest.Comments, quoted.Digest.Comments)
	}
	if was.Digest.Tokens != is.Digest.Tokens {
		t.Errorf("the tokens of a docstring count as code")
	}
}

// TestPythonChangeAltersHashes checks that changes of meaning change the hash of the signature or
// body.
func TestPythonChangeAltersHashes(t *testing.T) {
	for _, pair := range [][2]string{
		// body
		{"return a + b", "return a - b"},
		{"return a < b", "return a <= b"},
		{"return a - b", "return b - a"},
		{"return f(a, b)", "return f(b, a)"},
		{"return f(a, b)", "return f((a, b))"},
		{"return f(a)", "return f(*a)"},
		{"return f(*a)", "return f(**a)"},
		{"return f(a=b)", "return f(b=b)"},
		{"return f(x for x in y)", "return f([x for x in y])"},
		{"return 1", "return 2"},
		{"return 1", "return 1.0"},
		{"return 1", "return 1j"},
		{"return 'a'", "return 'b'"},
		{"return 'a'", "return b'a'"},
		{"return 'a'", "return a"},
		{`return '\\n'`, `return '\n'`},
		{`return '\n'`, `return r'\n'`},
		{`return r'\\'`, `return r'\\\\'`},
		{"return 'a', 'b'", "return 'a' 'b'"},
		{"return f'{a}'", "return f'{b}'"},
		{"return f'{a}'", "return f'{a!r}'"},
		{"return f'{a:>1}'", "return f'{a:>2}'"},
		{"return f'{a}'", "return f'{{a}}'"},
		{"return f'{a}'", "return t'{a}'"},
		{"return f'{a} {b}'", "return f'{b} {a}'"},
		{"return f'{a = }'", "return f'{a=}'"},
		{"return True", "return False"},
		{"return None", "return"},
		{"return a", "return not a"},
		{"return not a", "return -a"},
		{"return a and b", "return a or b"},
		{"return a in b", "return a not in b"},
		{"return a is b", "return a is not b"},
		{"return a is b", "return a == b"},
		{"return a if b else c", "return c if b else a"},
		{"return (a + b) * c", "return a + b * c"},
		{"return a.b", "return a.c"},
		{"return a[1:]", "return a[:1]"},
		{"return a[1]", "return a[1,]"},
		{"return a[1:2]", "return a[1:2:3]"},
		{"return a, b", "return [a, b]"},
		{"return (a)", "return (a,)"},
		{"return {a, b}", "return {a: b}"},
		{"return lambda a: a", "return lambda b: a"},
		{"return a", "yield a"},
		{"yield a", "yield from a"},
		{"await a", "a"},
		{"a = b", "a += b"},
		{"a += b", "a -= b"},
		{"a = b", "b = a"},
		{"a: int = b", "a: str = b"},
		{"a, b = c", "b, a = c"},
		{"a, b = c", "[a], b = c"},
		{"a()\nb()", "b()\na()"},
		{"a()\nb()", "a()"},
		{"if a:\n    b()\nelse:\n    c()", "if a:\n    c()\nelse:\n    b()"},
		{"if a:\n    b()\nc()", "if a:\n    b()\n    c()"},
		{"if a:\n    b()\nelif c:\n    d()", "if a:\n    b()\nif c:\n    d()"},
		{"for a in b:\n    c()\nelse:\n    if d: e()", "for a in b:\n    c()\n    if d: e()"},
		{"while a:\n    break", "while a:\n    continue"},
		{"while a:\n    pass", "if a:\n    pass"},
		{"try:\n    a()\nexcept B:\n    c()", "try:\n    a()\nexcept D:\n    c()"},
		{"try:\n    a()\nexcept B:\n    c()", "try:\n    a()\nfinally:\n    c()"},
		{"try:\n    a()\nexcept B:\n    c()", "try:\n    a()\nexcept* B:\n    c()"},
		{"raise a", "raise a from b"},
		{"with a as b:\n    c()", "with b as a:\n    c()"},
		{"async with a:\n    c()", "with a:\n    c()"},
		{"match a:\n    case b: c()", "match a:\n    case b,: c()"},
		{"match a:\n    case 1: c()", "match a:\n    case -1: c()"},
		{"match a:\n    case 1: c()", "match a:\n    case _: c()"},
		{"match a:\n    case B(x=1): c()", "match a:\n    case B(y=1): c()"},
		{"global a", "nonlocal a"},
		{"import a", "import b"},
		{"from a import b", "from .a import b"},
		{"assert a, b", "assert (a, b)"},
		{"print(a)", "print(a,)\nprint(b)"},
		{"'docs'\nreturn 1", "return 2"},
	} {
		was, is := inFunction("async def f(x):", pair[0]), inFunction("async def f(x):", pair[1])
		if old, now := meaning(t, was), meaning(t, is); old == now {
			t.Errorf("no hash tells %q from %q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{ // signatures and values
		{"def f(a): ...", "def g(a): ..."},
		{"def f(a): ...", "def f(b): ..."},
		{"def f(a, b): ...", "def f(b, a): ..."},
		{"def f(a=1): ...", "def f(a=2): ..."},
		{"def f(a=1): ...", "def f(a): ..."},
		{"def f(a: int): ...", "def f(a: str): ..."},
		{"def f(a: int): ...", "def f(a=int): ..."},
		{"def f(a): ...", "def f(a, /): ..."},
		{"def f(a, b): ...", "def f(a, *, b): ..."},
		{"def f(*a): ...", "def f(**a): ..."},
		{"def f() -> int: ...", "def f() -> str: ..."},
		{"def f(): ...", "async def f(): ..."},
		{"def f[T](): ...", "def f[T: int](): ..."},
		{"def f[T = int](): ...", "def f[T = str](): ..."},
		{"class A(B): ...", "class A(C): ..."},
		{"class A(B, C): ...", "class A(C, B): ..."},
		{"class A(B): ...", "class A(metaclass=B): ..."},
		{"X = 1", "X = 2"},
		{"X: int = 1", "X: str = 1"},
		{"X = [1, 2]", "X = [2, 1]"},
		{"X, Y = f()", "Y, X = f()"},
		{"X = Y = 1", "X = Y = 2"},
		{"type X = int", "type X = str"},
		{"if a:\n    X = 1\nelse:\n    X = 2", "if a:\n    X = 1\nelse:\n    X = 3"},
		{"def f(): return 1\nf = g(f)", "def f(): return 1\nf = h(f)"},
	} {
		if old, now := meaning(t, pair[0]), meaning(t, pair[1]); old == now {
			t.Errorf("no hash tells %q from %q", pair[0], pair[1])
		}
	}
}

// inFunction returns a function with the given body.
func inFunction(head, body string) string {
	return head + "\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n"
}

// meaning returns all hashes of a file's symbols.
func meaning(t *testing.T, src string) string {
	t.Helper()
	f := parsePython(t, "a.py", src)
	if len(f.ParseErrors) > 0 {
		t.Fatalf("%q: %v", src, f.ParseErrors)
	}
	return fmt.Sprint(hashes(nil, f.Symbols, ""))
}
