package redact

import (
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// The fast index must agree with a TOML parser, and every rule must compile.
func TestRuleIndexMatchesFile(t *testing.T) {
	var file struct {
		Rules []*rule `toml:"rules"`
	}
	if _, err := toml.Decode(gitleaks, &file); err != nil {
		t.Fatal(err)
	}
	type entry struct {
		ID, Regex string
		Keywords  []string
	}
	var want, got []entry
	for _, r := range file.Rules {
		if r.Regex != "" && len(r.Keywords) > 0 && !isRedundant(r.ID) {
			for i, w := range r.Keywords {
				r.Keywords[i] = strings.ToLower(w)
			}
			slices.Sort(r.Keywords)
			want = append(want, entry{r.ID, r.Regex, slices.Compact(r.Keywords)})
		}
	}
	set := rules()
	words := make([][]string, len(set.rules))
	set.words.each(strings.Join(keywords(file.Rules), "\x00"), func(word, from, to int) {
		text := strings.ToLower(strings.Join(keywords(file.Rules), "\x00")[from:to])
		for _, r := range set.byWord[word] {
			words[r] = append(words[r], text)
		}
	})
	for n, read := range set.rules {
		r := read()
		slices.Sort(words[n])
		got = append(got, entry{r.ID, r.Regex, slices.Compact(words[n])})
		if r.secret == nil || !strings.HasPrefix(Placeholder(r.kind), mark) || pastMark(Placeholder(r.kind), 0) != len(Placeholder(r.kind))-1 {
			t.Errorf("%s: type %s", r.ID, r.kind)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-file +index):\n%s", diff)
	}
	if len(got) < 200 {
		t.Errorf("%d rules", len(got))
	}
	set.allowAll()
}

func keywords(rules []*rule) (out []string) {
	for _, r := range rules {
		out = append(out, r.Keywords...)
	}
	return out
}

func TestMatcherFindsWordsWithinWords(t *testing.T) {
	m := newMatcher([]string{"he", "she", "his", "hers", "rs"}, true)
	var got []string
	const text = "usHErs his SHE"
	m.each(text, func(_, from, to int) { got = append(got, text[from:to]) })
	if diff := cmp.Diff([]string{"sHE", "HE", "HErs", "rs", "his", "SHE", "HE"}, got); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}
