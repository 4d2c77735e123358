package reversespec_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"
)

// phrases are what we once wrote and what engineers write instead.
var phrases = []struct {
	not *regexp.Regexp
	but string
}{
	{regexp.MustCompile(`\btells (whether|an? [a-z]+ (that|of)|if|when)\b`), "reports whether"},
	{regexp.MustCompile(`\b(is|are|was|were|be|been|it) (passed|passes) over\b`), "skipped"},
	{regexp.MustCompile(`\brests? on\b`), "depends on, imports, uses"},
	{regexp.MustCompile(`\bfor want of\b`), "because … is missing"},
	{regexp.MustCompile(`\bin (the|its|their) place of\b`), "instead of, replaces"},
	{regexp.MustCompile(`\bheld against\b`), "checked against"},
	{regexp.MustCompile(`\b(another|a foreign) hand\b`), "hand-written, written by others"},
	{regexp.MustCompile(`\bwho(ever)? asks\b`), "the caller"},
	{regexp.MustCompile(`\bwould notice\b`), "is affected by"},
	{regexp.MustCompile(`\bthat is no ([a-km-z]|l[^o])`), "is not a"},
	{regexp.MustCompile(`\bstands (in|at|behind|before|there|alone)\b`), "is, appears"},
	{regexp.MustCompile(`\bbut for\b`), "except"},
}

// TestCommentsUseTheFieldsWords keeps the phrases out of comments that native speakers stumbled over.
func TestCommentsUseTheFieldsWords(t *testing.T) {
	for _, file := range allGoFiles(t) {
		if file == "wording_test.go" {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.FromSlash(file), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range tree.Comments {
			for _, c := range group.List {
				for _, p := range phrases {
					if found := p.not.FindString(c.Text); found != "" {
						t.Errorf("%s: %q: write %q", set.Position(c.Pos()), found, p.but)
					}
				}
			}
		}
	}
}
