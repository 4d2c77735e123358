package suggest_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

func TestNearest(t *testing.T) {
	names := []string{"targetPath", "outputDir", "toLower", "floor", "e", "collect", "maxTokens"}
	for given, want := range map[string]string{
		"target_path": "targetPath", // the same letters
		"TARGET-PATH": "targetPath",
		"path":        "targetPath", // part of one
		"colect":      "collect",    // a letter left out
		"tolwoer":     "toLower",    // two swapped
		"foo":         "",           // half of it is other letters
		"zebra":       "",
		"":            "",
	} {
		if got := suggest.Nearest(given, names); got != want {
			t.Errorf("%q is meant to be %q, not %q", given, want, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{{"abc", "abc", 3, 0}, {"abc", "acb", 3, 1}, {"abc", "abcd", 3, 1}, {"abc", "xbc", 3, 1}, {"", "abc", 3, 3}, {"abc", "xyz", 2, 3}, {"a", "abcdef", 2, 3}, {"你好", "你们好", 3, 1}} {
		if got := suggest.Distance([]rune(c.a), []rune(c.b), c.limit); got != c.want {
			t.Errorf("from %s to %s: %d slips, not %d", c.a, c.b, c.want, got)
		}
	}
}
