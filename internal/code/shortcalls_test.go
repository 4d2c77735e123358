package code_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

func TestShortCalls(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"v, err := f(a)", "v, err := f(a)"},
		{"matcher, err := middlewares.GetSourceExtractor(ctx, config.SourceCriterion)", "matcher, err := middlewares.GetSourceExtractor(…)"},
		{"v, err := r.script.Run(ctx, r.client, []string{prefix + key}, params...).Result()", "v, err := r.script.Run(…).Result()"},
		{`v = open("a name with ) and (that is long), and more", 'x').read(all_the_bytes)`, "v = open(…).read(all_the_bytes)"},
		{"total = (first_of_many_values + second_of_many_values + third_of_many_values)", ""},
		{"name_that_is_longer_than_what_is_kept_of_any_text_here_and_more = value", ""},
		{"v := m[string(very_long_name_of_an_argument) + string(another_long_name)].f()", ""},
		{"v = f(unclosed_because_the_text_was_cut_somewhere_in_the_middle_of_it", ""},
	} {
		if got := code.ShortCalls(c.text, 52); got != c.want {
			t.Errorf("%s: %q, not %q", c.text, got, c.want)
		}
	}
}
