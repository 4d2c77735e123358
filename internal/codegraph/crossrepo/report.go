package crossrepo

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Report is the result of a run.
type Report struct {
	Config       string              `json:"config"`
	Repositories []RepositoryReport  `json:"repositories"`
	Edges        []store.VirtualEdge `json:"edges"` // grouped by repository, then sorted by source
	// Below is the number of edges left out because their confidence is below [Threshold].
	Below int `json:"below_threshold"`
	// Ambiguous is the number left out because they fit contracts of several repositories, and nothing tells which is meant.
	Ambiguous int      `json:"ambiguous,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
}

// RepositoryReport is the result for one repository.
type RepositoryReport struct {
	Name      string     `json:"name"`
	Path      string     `json:"path"`
	Mode      index.Mode `json:"mode"` // what indexing did
	Files     int        `json:"files"`
	Publishes []string   `json:"publishes"` // the manifests with the names of their packages
	Contracts []Contract `json:"contracts"`
	// Out counts the edges from this repository by contract type and level; In counts those to it by repository.
	Out map[string]map[string]int `json:"out"`
	In  map[string]int            `json:"in"`
}

// repositoryReport returns the report of one repository.
func (f *federation) repositoryReport(r *repository, edges []store.VirtualEdge) RepositoryReport {
	out := RepositoryReport{
		Name: r.Name, Path: r.project.Root(), Mode: r.summary.Mode, Files: r.summary.Files, Publishes: r.published(),
		Contracts: append([]Contract{}, r.contracts...), Out: map[string]map[string]int{}, In: map[string]int{},
	}
	for _, e := range edges {
		if out.Out[e.Contract] == nil {
			out.Out[e.Contract] = map[string]int{}
		}
		out.Out[e.Contract][e.Level]++
	}
	for _, other := range f.repos {
		for _, e := range f.edges[other.place] {
			if e.TargetRepo == r.Name {
				out.In[other.Name]++
			}
		}
	}
	return out
}

// String returns the report in English, see [Report.In].
func (r *Report) String() string { return r.In(message.English) }

// In returns the report as tables: the repositories, and the edges by target.
func (r *Report) In(lang message.Lang) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, heads(lang, message.New("REPOSITORY"), message.New("FILES"), message.New("PUBLISHES"), message.New("CONTRACTS")))
	for _, repo := range r.Repositories {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", repo.Name, repo.Files, cmp.Or(strings.Join(firstFew(lang, repo.Publishes), ", "), "-"), cmp.Or(contractCounts(lang, repo.Contracts), "-"))
	}
	_ = w.Flush() // to a buffer
	if len(r.Edges) == 0 {
		b.WriteString("\n" + message.New("no repository uses another, as far as their code and contracts tell").In(lang) + "\n")
	} else {
		b.WriteString("\n" + r.edgeTable(lang))
	}
	if r.Below > 0 {
		found := message.Count(r.Below, "%d finding was left out", "%d findings were left out")
		fmt.Fprintln(&b, message.New("%s: the confidence is below %.1f", found, Threshold).In(lang))
	}
	if r.Ambiguous > 0 {
		found := message.Count(r.Ambiguous, "%d finding was left out", "%d findings were left out")
		fmt.Fprintln(&b, message.New("%s: contracts of several repositories fit, and nothing tells which is meant", found).In(lang))
	}
	return b.String()
}

// maxPublished is the maximum number of packages per repository in the table.
const maxPublished = 3

func firstFew(lang message.Lang, list []string) []string {
	if len(list) <= maxPublished {
		return list
	}
	return append(slices.Clone(list[:maxPublished]), message.New("and %d more", len(list)-maxPublished).In(lang))
}

// contractCounts formats the numbers of contracts and symbols of each kind.
func contractCounts(lang message.Lang, list []Contract) string {
	files, symbols := map[string]int{}, map[string]int{}
	for _, c := range list {
		files[c.Type]++
		symbols[c.Type] += len(c.Symbols)
	}
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(files)) {
		out = append(out, fmt.Sprintf("%s %d (%s)", kind, files[kind], message.Count(symbols[kind], "%d symbol", "%d symbols").In(lang)))
	}
	return strings.Join(out, ", ")
}

// edgeTable counts the edges by repositories, contract and type.
func (r *Report) edgeTable(lang message.Lang) string {
	type row struct {
		from, to, contract string
		typ                store.VirtualType
	}
	counts := map[row]map[string]int{}
	for _, e := range r.Edges {
		key := row{e.SourceRepo, e.TargetRepo, e.Contract, e.Type}
		if counts[key] == nil {
			counts[key] = map[string]int{}
		}
		counts[key][e.Level]++
	}
	rows := slices.SortedFunc(maps.Keys(counts), func(a, b row) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.contract, b.contract), cmp.Compare(a.typ, b.typ))
	})
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, heads(lang, message.New("FROM"), message.New("TO"), message.New("CONTRACT"), message.New("EDGES"),
		message.New("HIGH"), message.New("MEDIUM"), message.New("LOW")))
	for _, k := range rows {
		n := counts[k]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\n", k.from, k.to, k.contract, k.typ, n["high"], n["medium"], n["low"])
	}
	_ = w.Flush() // to a buffer
	return b.String()
}

// heads formats the headings of a table.
func heads(lang message.Lang, list ...message.Text) string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.In(lang)
	}
	return strings.Join(texts, "\t")
}

// Of returns the edges at a symbol: those with an end of that name, or that ends in "." and the name.
func (r *Report) Of(symbol string) []store.VirtualEdge {
	is := func(name string) bool { return name == symbol || strings.HasSuffix(name, "."+symbol) }
	return slices.DeleteFunc(slices.Clone(r.Edges), func(e store.VirtualEdge) bool { return !is(e.SourceSymbol) && !is(e.TargetSymbol) })
}

// Explain describes the parts of an edge's confidence.
func Explain(e store.VirtualEdge) message.Text {
	return message.New("%s  %s\n  -> %s  %s\n  %s by %s, rule %s\n  confidence %.2f (%s) = %.1f × exact %.2f + %.1f × signature %.2f + %.1f × contract %.2f\n",
		e.SourceSymbol, at(e.SourceFile, e.SourceLine), e.TargetSymbol, at(e.File(), e.StartLine), e.Type, e.Contract, e.Rule,
		e.Confidence, e.Level, exactWeight, e.ExactMatch, similarityWeight, e.SignatureSimilarity, bonusWeight, e.ContractBonus)
}

// at formats a location; a folder has no line.
func at(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
