package lang_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// TestNameLine reads declarations whose name is not on their first line, or is also in a
// comment, a decorator, a body or a longer name before it.
func TestNameLine(t *testing.T) {
	for _, c := range []struct {
		file, src string
		line      int
	}{
		{"a.py", "@get('/f')\n@f.cached\ndef f():\n    return f\n", 3},
		{"a.c", "typedef struct {\n  int size_of_list; /* of list */\n} list;\n", 3},
		{"a.cpp", "template <typename T>\nstruct hash<pair<T>> {\n  int n;\n};\n", 2},
		{"a.java", "@Service(\"Users\")\npublic class\nUsers {}\n", 3},
		{"a.go", "package a\n\nfunc\nlong() {}\n", 4},
		{"a.ts", "export default function () {\n  switch (1) {\n  default:\n  }\n}\n", 1},
		{"a.h", "#pragma once\n#define LIMIT \\\n  8\n", 2},
	} {
		f, err := lang.Parse(t.Context(), c.file, []byte(c.src), 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Symbols) != 1 || f.Symbols[0].NameLine != c.line {
			t.Errorf("%s: %+v, want line %d", c.file, f.Symbols, c.line)
		}
	}
}
