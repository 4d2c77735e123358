package search

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// How the table of described.go is made from documented functions: a word of documentation stands for words in names as IBM's first model
// of translation says (Brown et al., 1993).
const (
	rounds       = 8  // of expectation and maximisation
	leastUses    = 20 // a word of documentation with less is left out
	leastNames   = 4  // a word of names that fewer functions have for a word is left out
	leastShare   = 20 // of 1000 functions with a word, those whose names have another for it
	leastCommon  = 10 // names; a word that fewer have is rare
	longestWords = 6  // words in names for one word
)

// pair is a documented function: the stems of its documentation and of its name.
type pair struct{ doc, name []string }

// learned makes the table from pairs.
func learned(pairs []pair) string {
	uses, names := map[string]float64{}, map[string]float64{}
	for _, p := range pairs {
		for _, w := range p.doc {
			uses[w]++
		}
		for _, x := range p.name {
			names[x]++
		}
	}
	because := aligned(pairs)
	var b strings.Builder
	for _, x := range slices.Sorted(maps.Keys(names)) {
		if names[x] >= leastCommon {
			fmt.Fprintf(&b, "= %s %.2f\n", x, 1000*names[x]/float64(len(pairs)))
		}
	}
	for _, w := range slices.Sorted(maps.Keys(because)) {
		var list []inNames
		for x, n := range because[w] {
			if share := 1000 * n / uses[w]; w != "" && uses[w] >= leastUses && n >= leastNames && share >= leastShare {
				list = append(list, inNames{x, share})
			}
		}
		slices.SortFunc(list, func(a, b inNames) int { return compareDown(a.share, b.share)*2 + strings.Compare(a.stem, b.stem) })
		if len(list) == 0 {
			continue
		}
		b.WriteString(w)
		for _, n := range list[:min(len(list), longestWords)] {
			fmt.Fprintf(&b, " %s %.0f", n.stem, n.share)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// aligned returns how many names have a word because of a word of the documentation; "" stands for no word.
func aligned(pairs []pair) map[string]map[string]float64 {
	share := func(string, string) float64 { return 1 }
	var because map[string]map[string]float64
	for range rounds {
		next, total := map[string]map[string]float64{}, map[string]float64{}
		for _, p := range pairs {
			doc := append([]string{""}, p.doc...)
			for _, x := range p.name {
				all := 0.0
				for _, w := range doc {
					all += share(w, x)
				}
				for _, w := range doc {
					part := share(w, x) / all
					if next[w] == nil {
						next[w] = map[string]float64{}
					}
					next[w][x] += part
					total[w] += part
				}
			}
		}
		because = next
		share = func(w, x string) float64 { return next[w][x] / total[w] }
	}
	return because
}

// documentedFunction is a function with its documentation, by the stems of their words.
type documentedFunction struct{ name, doc, enclosing, signature, body []string }

// mostOfALanguage bounds the functions of files with one extension, so that no language outweighs others.
const mostOfALanguage = 40_000

// documentedFunctions reads the file that scripts/described.sh has made.
func documentedFunctions(t *testing.T) (list []documentedFunction) {
	t.Helper()
	from := os.Getenv("REVERSE_SPEC_DESCRIBED")
	if from == "" {
		t.Skip("REVERSE_SPEC_DESCRIBED is not set: make described fetches the documented code")
	}
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string][]documentedFunction{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		p := strings.Split(lines.Text(), "\t")
		d := documentedFunction{stemsIn(p[1], 2, nil), stemsIn(p[2], 1, stopWords), stemsIn(p[3], 1, nil), stemsIn(p[4], 1, nil), stemsIn(p[5], 1, nil)}
		if len(d.doc) > 0 && len(d.name) > 0 {
			all[p[0]] = append(all[p[0]], d)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	const together = 32 // neighbours that are kept or left out
	for _, language := range slices.Sorted(maps.Keys(all)) {
		of := all[language]
		for i := range of {
			block := i / together
			if keep := min(1, mostOfALanguage/float64(len(of))); int(float64(block+1)*keep) > int(float64(block)*keep) {
				list = append(list, of[i])
			}
		}
	}
	return list
}

// TestDescribed renews described.txt from the functions in the file that scripts/described.sh has made.
func TestDescribed(t *testing.T) {
	var pairs []pair
	for _, d := range documentedFunctions(t) {
		pairs = append(pairs, pair{d.doc, d.name})
	}
	head := "# Written by scripts/described.sh. See described.go.\n" + fmt.Sprintf("# %d documented functions.\n", len(pairs))
	if err := os.WriteFile("described.txt", []byte(head+learned(pairs)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// stemsIn returns the distinct stems of a text's words of letters, of a least length, without others.
func stemsIn(text string, least int, without map[string]bool) (list []string) {
	words.Each(text, func(word string, whole bool) {
		stem := words.Stem(word)
		letters := strings.IndexFunc(stem, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
		if !whole && letters && len(stem) >= least && !without[word] && !slices.Contains(list, stem) {
			list = append(list, stem)
		}
	})
	return list
}

// TestLearnedTellsWhatNamesSay learns from made-up functions that "whether" is "is" and "created" is "new", although "get" is in most names.
func TestLearnedTellsWhatNamesSay(t *testing.T) {
	var pairs []pair
	for i := range 60 {
		thing := "thing" + string(rune('a'+i%20))
		pairs = append(pairs, pair{[]string{"whether", thing}, []string{"is", thing}}, pair{[]string{"creat", thing}, []string{"new", thing}},
			pair{[]string{"return", thing}, []string{"get", thing}})
	}
	table := learned(pairs)
	for _, want := range []string{"whether is ", "creat new ", "return get ", "= is 333.33\n"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table has no %q:\n%s", want, table)
		}
	}
	if strings.Contains(table, "whether get") || strings.Contains(table, "whether new") {
		t.Errorf("a word that only others have is taken for one:\n%s", table)
	}
}

func TestExplained(t *testing.T) {
	d := described()
	asked := subjects("Reports whether the list has no elements")
	explained := func(name string) float64 { return d.explained(asked, newAlike(nil).words(name)) }
	for _, c := range [][2]string{{"isEmpty", "getSize"}, {"is_list", "make_list"}} {
		if better, worse := explained(c[0]), explained(c[1]); better <= worse {
			t.Errorf("%s %.2f, %s %.2f: the first says more of what is asked", c[0], better, c[1], worse)
		}
	}
	if got := explained(""); got != 0 {
		t.Errorf("no name: %v", got)
	}
}
