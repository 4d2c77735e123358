package schema_test

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/schema"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestLanguages compares the schema of each case. The files "valid" and "invalid" have values,
// one per line after the name of the type, for a JSON Schema validator.
func TestLanguages(t *testing.T) {
	golden.Archives(t, "languages", func(t *testing.T, files map[string][]byte) string {
		valid, invalid := string(files["valid"]), string(files["invalid"])
		delete(files, "valid")
		delete(files, "invalid")
		doc := schemaOf(t, files)
		for line := range strings.Lines(valid) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			if err := validate(t, doc, name, value); err != nil {
				t.Errorf("%s refuses %s: %v", name, value, err)
			}
		}
		for line := range strings.Lines(invalid) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			if validate(t, doc, name, value) == nil {
				t.Errorf("%s takes %s", name, value)
			}
		}
		return doc.Text + "\n"
	})
}

// schemaOf returns the schema of files of one module.
func schemaOf(t testing.TB, files map[string][]byte) *schema.Document {
	t.Helper()
	var list []*code.File
	languages := map[string]string{}
	for name, text := range files {
		f, err := lang.Parse(t.Context(), name, text, lang.All)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
		languages[name] = f.Language
	}
	slices.SortFunc(list, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	module := code.Merge(".", list, time.Time{})
	return schema.Of(&module, func(file string) string { return languages[file] }, new(lang.Types).Of)
}

// validate validates a JSON value against the schema of a type.
func validate(t testing.TB, doc *schema.Document, name, value string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		t.Fatalf("%s %s: %v", name, value, err)
	}
	return compiled(t, doc, name).Validate(v)
}

// compiled returns the compiled schema of a type, checked against the draft.
func compiled(t testing.TB, doc *schema.Document, name string) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(doc.Text)))
	if err != nil {
		t.Fatalf("no JSON: %v\n%s", err, doc.Text)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("file:///module.json", text); err != nil {
		t.Fatal(err)
	}
	pointer := url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	s, err := c.Compile("file:///module.json#/$defs/" + pointer)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, doc.Text)
	}
	return s
}

// TestTooManyTypesAreCounted: omitted types are counted and not referred to.
func TestTooManyTypesAreCounted(t *testing.T) {
	var b strings.Builder
	b.WriteString("package big\n")
	for i := range 100 {
		fmt.Fprintf(&b, "type T%d struct {\n\tNext *T%d `json:\"next\"`\n}\n", i, i+50)
	}
	doc := schemaOf(t, map[string][]byte{"big.go": []byte(b.String())})
	if len(doc.Names) != 60 || doc.Left != 40 {
		t.Errorf("%d types, %d left", len(doc.Names), doc.Left)
	}
	for _, name := range doc.Names {
		compiled(t, doc, name)
	}
}

// FuzzTypes: any text as a type gives a schema that is valid by the draft.
func FuzzTypes(f *testing.F) {
	for _, text := range []string{
		"string", "[]byte", "map[string][]T", "Page<Page<T>>", "'a' | \"b\" | null", "[number, string?, ...T[]]", "{ a: 1; b?: T }",
		"Optional[List['T']]", "tuple[int, ...]", "Literal['a', None]", "&'a [u8; 4]", "HashMap<String, Vec<T>>", "(i32, T)", "? extends T[]",
		"int?", "(T|null)[]", "Record<'a'|'b', T>", "keyof T", "a extends b ? c : d", "`x${T}`", "&", "|", "<", ")", "", "'", "T<T<T>>",
	} {
		f.Add(text)
	}
	heads := map[string]string{
		"a.go":   "package a\ntype T[P any] struct {\n\tF %s `json:\"f\"`\n}\n",
		"a.ts":   "export interface T<P = 1> { f: %s }\nexport type A = %[1]s;\n",
		"a.py":   "@dataclass\nclass T:\n    f: %s\n",
		"a.java": "record T<P>(%s f) {}\n",
		"a.rs":   "#[derive(Serialize)]\npub struct T<P> { pub f: %s }\n#[derive(Serialize)]\npub enum E { A(%[1]s) }\n",
		"a.cs":   "public record T<P>(%s f);\n",
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, head := range heads {
			doc := schemaOf(t, map[string][]byte{path.Base(name): fmt.Appendf(nil, head, text)})
			if doc == nil {
				continue
			}
			for _, name := range doc.Names {
				compiled(t, doc, name)
			}
		}
	})
}
