package lang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestTypes compares the trees of types, one per line of a file that is named for its language.
func TestTypes(t *testing.T) {
	golden.Archives(t, "types", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for language, lines := range files {
			var types lang.Types
			for line := range strings.Lines(string(lines)) {
				tree := types.Of(language, strings.TrimSpace(line))
				checkPlaces(t, tree)
				b.WriteString(tree.Text + "\n\t" + treeText(tree) + "\n")
			}
		}
		return b.String()
	})
}

// checkPlaces checks that the parts of a type are where they say.
func checkPlaces(t *testing.T, tree code.Type) {
	t.Helper()
	if same := tree.Rewrite(func(part code.Type) string { return part.Text }); same != tree.Text {
		t.Errorf("%s: its parts make %s", tree.Text, same)
	}
	for _, a := range tree.Args {
		checkPlaces(t, a)
	}
	for _, f := range tree.Fields {
		checkPlaces(t, f.Type)
	}
}

// treeText writes a type with its forms: list<named string>.
func treeText(t code.Type) string {
	parts := []string{}
	for _, a := range t.Args {
		parts = append(parts, treeText(a))
	}
	for _, f := range t.Fields {
		marks := ""
		for mark, set := range map[string]bool{"?": f.Optional, "...": f.Variadic, "()": f.Method} {
			if set {
				marks += mark
			}
		}
		parts = append(parts, fmt.Sprintf("%s%s%s: %s", f.Name, marks, f.Tag, treeText(f.Type)))
	}
	text := strings.TrimSpace(string(t.Form) + " " + t.Name)
	if len(parts) == 0 {
		return text
	}
	return text + "<" + strings.Join(parts, ", ") + ">"
}
