package question_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
)

// TestNamesMayEndInAMark, as Ruby's do; a mark that ends the sentence is none of the name.
func TestNamesMayEndInAMark(t *testing.T) {
	g := projectOf(t, "testdata/marks.txtar")
	for asked, want := range map[string][]string{
		"who calls Order.save!":                 {"take"},
		"who calls Order.save":                  {"close", "save!"},
		"who calls Order.save?":                 {"close", "save!"},
		"who calls Order.valid?":                {"save"},
		"who calls Order.valid??":               {"save"},
		"who calls `Order.save!`?":              {"take"},
		"which functions call valid? directly":  {"save"},
		"what does Order.save! call":            {"save"},
		"who calls Order.save!, and from where": {"take"},
	} {
		a, err := question.Ask(t.Context(), g, asked, question.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range a.Results {
			for _, f := range row {
				if f.Name == "name" {
					got = append(got, fmt.Sprint(f.Value))
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v (%s)", asked, got, want, a.Query)
		}
	}
}
