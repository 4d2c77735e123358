package question_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
)

// TestUnusedFunctionsThatOthersCallByName asks for the unused functions of a project whose others a framework, a runner of tests or a computed
// name calls.
func TestUnusedFunctionsThatOthersCallByName(t *testing.T) {
	g := projectOf(t, "testdata/unused.txtar")
	for asked, want := range map[string][]string{
		"Find unused functions":     {"_lonely"},
		"unused exported functions": {"formatTotal", "get_forgotten", "left_behind", "never_drawn"},
	} {
		a, err := question.Ask(t.Context(), g, asked, question.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range a.Results {
			for _, f := range row {
				if name, ok := f.Value.(string); ok && f.Name == "name" {
					got = append(got, name)
				}
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", asked, diff)
		}
	}
}
