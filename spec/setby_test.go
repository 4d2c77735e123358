package spec_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestStatesNameWhoSetsThem: a case that depends on whether a field is set says which function sets it; of a field that a function sets
// which users do not call, nothing is said, since they may reach it by others.
func TestStatesNameWhoSetsThem(t *testing.T) {
	page := func(more string) string {
		p := openProject(t, map[string][]byte{
			"go.mod": []byte("module shop\n\ngo 1.26\n"),
			"till/till.go": []byte("package till\n\nimport \"errors\"\n\n// Till takes money.\ntype Till struct{ open bool }\n\n// Open opens it.\nfunc (t *Till) Open() { t.open = true }\n\n" +
				"// Name gives it a name.\nfunc (t *Till) Name(name string) error {\n\tif t.open {\n\t\treturn errors.New(\"named after Open\")\n\t}\n\treturn nil\n}\n" + more),
		})
		r, err := spec.Generate(t.Context(), p, "till", spec.GenerateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := p.ReadFile(r.SpecPath)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const want = "when `t.open` is true (`t.open` is set by `Till.Open`)"
	if text := page(""); !strings.Contains(text, want) {
		t.Errorf("without %q:\n%s", want, text)
	}
	if text := page("\nfunc (t *Till) reopen() { t.open = true }\n"); !strings.Contains(text, "when `t.open` is true") || strings.Contains(text, "is set by") {
		t.Errorf("another function sets it, too:\n%s", text)
	}
}

// TestChecksHaveWhatIsComputedForThem: what a test computes from the result is part of the check, not of what is given.
func TestChecksHaveWhatIsComputedForThem(t *testing.T) {
	p := openProject(t, map[string][]byte{
		"go.mod":       []byte("module shop\n\ngo 1.26\n"),
		"till/till.go": []byte("package till\n\nimport \"errors\"\n\n// Pay takes money.\nfunc Pay(n int) (int, error) {\n\tif n < 1 {\n\t\treturn 0, errors.New(\"too little\")\n\t}\n\treturn n, nil\n}\n"),
		"till/till_test.go": []byte("package till\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc TestPayTooLittle(t *testing.T) {\n\t_, err := Pay(0)\n\tgot := fmt.Sprint(err)\n" +
			"\tif got != \"too little\" {\n\t\tt.Error(got)\n\t}\n}\n"),
	})
	r, err := spec.Generate(t.Context(), p, "till", spec.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.ReadFile(r.SpecPath)
	if want := "- **When**: `Pay(0)` is called\n- **Then**: the message is `\"too little\"`\n"; err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "`got`") {
		t.Errorf("without %q (%v):\n%s", want, err, text)
	}
}
