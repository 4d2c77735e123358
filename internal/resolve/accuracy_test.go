package resolve_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// TestAccuracy writes the tables of docs/accuracy.md for several repositories: the
// file that REVERSE_SPEC_ACCURACY names has a line for each, with the language, the
// name, whether it was held out, the folder, the truth by name, the truth by what may
// run (or nothing), where false and missed pairs are listed, and the truth of types (or
// nothing), between tabs. The tables go to the file of that name with ".md" behind it.
func TestAccuracy(t *testing.T) {
	list := os.Getenv("REVERSE_SPEC_ACCURACY")
	if list == "" {
		t.Skip("no repositories are listed in REVERSE_SPEC_ACCURACY: run make accuracy")
	}
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]*report{}
	for row := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(f) != 8 {
			t.Fatalf("%d columns in %q", len(f), row)
		}
		r := reports[f[0]]
		if r == nil {
			r = &report{language: f[0], rules: map[string]*share{}, sites: sites{unresolved: map[resolve.Reason]int{}}}
			reports[f[0]] = r
		}
		r.add(t, f[1], f[2] == "held", f[3], f[4], f[5], f[6], f[7])
	}
	var b strings.Builder
	for _, language := range slices.Sorted(maps.Keys(reports)) {
		reports[language].draw(&b)
	}
	drawConfidence(&b, reports)
	if err := os.WriteFile(list+".md", []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// report is what was measured of one language.
type report struct {
	language        string
	calls, dispatch []string // rows of tables
	types           []string
	rules           map[string]*share
	sites           sites
}

func (r *report) add(t *testing.T, name string, held bool, folder, truth, dispatch, lists, types string) {
	t.Helper()
	got := linked(t, folder)
	c := compareCalls(got, readTruth(t, truth))
	c.write(t, lists, "")
	if held {
		name += " (held out)"
	}
	r.calls = append(r.calls, c.row(name))
	for rule, s := range c.rules {
		in(r.rules, rule).right += s.right
		in(r.rules, rule).all += s.all
	}
	for reason, n := range got.count(r.language).unresolved {
		r.sites.unresolved[reason] += n
	}
	r.sites.resolved += got.count(r.language).resolved
	if dispatch != "" {
		d := compareDispatch(got, readTruth(t, dispatch))
		d.write(t, lists, ".implementation")
		r.dispatch = append(r.dispatch, d.row(name))
	}
	if types != "" {
		d := compareTypes(got, readPairs(t, types))
		d.write(t, lists, ".types")
		r.types = append(r.types, d.row(name))
	}
}

// row draws a comparison as a row of a Markdown table.
func (c *comparison) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %s | %s |\n", name, c.truth, c.ours, share{c.right, c.ours}, share{c.found, c.truth})
}

// drawConfidence writes the confidence of each rule, then for each language the one that holds there and the precision.
func drawConfidence(b *strings.Builder, reports map[string]*report) {
	languages := slices.Sorted(maps.Keys(reports))
	rules := map[string]bool{}
	b.WriteString("## confidence\n\n| rule | confidence |")
	for _, language := range languages {
		fmt.Fprintf(b, " %s (%d) |", language, len(reports[language].calls))
		for rule := range reports[language].rules {
			rules[rule] = true
		}
	}
	b.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: |", len(languages)) + "\n")
	for _, rule := range slices.SortedFunc(maps.Keys(rules), func(x, y string) int {
		return cmp.Or(cmp.Compare(resolve.RuleNamed(y).Confidence(), resolve.RuleNamed(x).Confidence()), cmp.Compare(x, y))
	}) {
		stated := "-"
		if c := resolve.RuleNamed(rule).Confidence(); c > 0 {
			stated = fmt.Sprintf("%.2f", c)
		}
		fmt.Fprintf(b, "| %s | %s |", rule, stated)
		for _, language := range languages {
			measured := in(reports[language].rules, rule)
			if c := resolve.RuleNamed(rule).In(language); measured.all == 0 {
				b.WriteString(" |")
			} else {
				fmt.Fprintf(b, " %.2f: %s of %d |", c, measured, measured.all)
			}
		}
		b.WriteString("\n")
	}
}

const pairsHead = "| repository | pairs of truth | ours | precision | recall |\n| --- | ---: | ---: | ---: | ---: |\n"

// draw writes the tables of one language.
func (r *report) draw(b *strings.Builder) {
	fmt.Fprintf(b, "## %s\n\n%s%s\n| rule | pairs | precision |\n| --- | ---: | ---: |\n", r.language, pairsHead, strings.Join(r.calls, ""))
	for _, rule := range slices.SortedFunc(maps.Keys(r.rules), func(x, y string) int {
		return cmp.Or(cmp.Compare(r.rules[y].all, r.rules[x].all), cmp.Compare(x, y))
	}) {
		fmt.Fprintf(b, "| %s | %d | %s |\n", rule, r.rules[rule].all, r.rules[rule])
	}
	fmt.Fprintf(b, "\nOf all files, tests too: %s\n", &r.sites)
	if len(r.dispatch) > 0 {
		fmt.Fprintf(b, "Calls that an interface hands on (rule `implementation`):\n\n%s%s\n", pairsHead, strings.Join(r.dispatch, ""))
	}
	if len(r.types) > 0 {
		fmt.Fprintf(b, "What types implement and extend:\n\n%s%s\n", pairsHead, strings.Join(r.types, ""))
	}
}
