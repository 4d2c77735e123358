package spec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestIndentedMarksInDocumentationOpenNoBlockOfCode: a line of ~ under an indented example was
// mistaken for an opening fence, and the closing fence added after it hid the rest.
func TestIndentedMarksInDocumentationOpenNoBlockOfCode(t *testing.T) {
	p := openProject(t, map[string][]byte{"a/a.go": []byte(`package a

// First finds what is marked in a text. It returns nil for none.
//
//	{ f(); g() }
//	  ~~~~~~~~
//
// It stops there.
func First() {}

// Second finds what comes after it. It returns nil for none.
func Second() {}
`)})
	if _, err := spec.Generate(t.Context(), p, "a", spec.GenerateOptions{}); err != nil {
		t.Fatal(err)
	}
	s, err := spec.Load(p, "specs/a.spec.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range s.Requirements {
		got = append(got, r.Symbol)
	}
	if diff := cmp.Diff([]string{"First", "Second"}, got); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
}
