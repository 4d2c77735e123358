package view

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// indexPage is the data of the index: the selected specs and totals.
type indexPage struct {
	Rows      []indexRow
	Shared    string // the folder of all targets, which is not in their names; "" for none
	All       int
	Totals    totals
	Columns   []column
	Asked     asked
	Healths   []string
	Languages []string
}

// indexRow is a row with its drift.
type indexRow struct {
	row
	Drift *badge // nil if not computed since the files changed
}

// asked has the filters and the order of a request.
type asked struct{ Name, Health, Language, Sort string }

// totals are sums over the displayed rows.
type totals struct {
	Specs, Requirements, Covered, Scenarios, Tests int
	Healths                                        []healthCount
}

type healthCount struct {
	Health string
	Specs  int
	Share  float64 // percentage of the specs
	From   float64 // start of its section of the bar, in percent
}

// column is a sortable column.
type column struct {
	Key, Title, Class string
	Address           string // of the index sorted by it, reversed if it already is
	Order             string // ascending, descending; "" if not sorted by it
}

// orders compare rows by each column. Numbers are in descending order.
var orders = []struct {
	key, title, class string
	compare           func(a, b *indexRow) int
}{
	{"name", message.Key("Spec"), "", func(a, b *indexRow) int { return strings.Compare(a.Title, b.Title) }},
	{"language", message.Key("Language"), "", func(a, b *indexRow) int { return strings.Compare(a.Front.Language, b.Front.Language) }},
	{"requirements", message.Key("Req."), "number", func(a, b *indexRow) int { return cmp.Compare(b.Reqs, a.Reqs) }},
	{"scenarios", message.Key("Scen."), "number", func(a, b *indexRow) int { return cmp.Compare(b.Scens, a.Scens) }},
	{"tests", message.Key("Tests"), "number", func(a, b *indexRow) int { return cmp.Compare(b.Tests, a.Tests) }},
	{"coverage", message.Key("Coverage"), "", func(a, b *indexRow) int { return cmp.Compare(share(a), share(b)) }},
	{"health", message.Key("Health"), "", func(a, b *indexRow) int { return cmp.Compare(gravity(b.Health()), gravity(a.Health())) }},
	{"verified", message.Key("Verified"), "", func(a, b *indexRow) int { return strings.Compare(b.Front.LastVerified, a.Front.LastVerified) }},
	{"drift", message.Key("Drift"), "", func(a, b *indexRow) int { return cmp.Compare(b.Drift.weight(), a.Drift.weight()) }},
}

// share returns the covered share of the requirements; specs without requirements come last.
func share(r *indexRow) float64 {
	if r.Reqs == 0 {
		return 2
	}
	return float64(r.Covered) / float64(r.Reqs)
}

// healths lists the states of a spec in order of severity.
var healths = []string{"active", "unverified", "drifted", "failing", "unreadable"}

func gravity(health string) int { return slices.Index(healths, health) }

// index returns the index page.
func (s *Site) index(r *http.Request) (answer, error) {
	all, err := s.library.all(r.Context())
	if err != nil {
		return answer{}, err
	}
	a := asked{r.FormValue("name"), r.FormValue("health"), r.FormValue("language"), r.FormValue("sort")}
	page := indexPage{All: len(all), Asked: a, Columns: columns(a, s.lang)}
	if s.options.Specs {
		page.Columns = slices.DeleteFunc(page.Columns, func(c column) bool { return c.Key == "drift" })
	}
	languages := map[string]bool{}
	for i := range all {
		if all[i].Front.Language != "" {
			languages[all[i].Front.Language] = true
		}
		if a.takes(&all[i]) {
			page.Rows = append(page.Rows, indexRow{all[i], s.drift.known(all[i].Path, all[i].digest)})
		}
	}
	page.Healths, page.Languages = healths, slices.Sorted(maps.Keys(languages))
	page.Shared = sharedTargets(all)
	page.Totals = sum(page.Rows)
	a.order(page.Rows)
	return answer{template: "index.html", title: message.Sprintf(r.Context(), "Specs"), data: page}, nil
}

// sharedTargets returns the folder that the targets of specs share.
func sharedTargets(rows []row) string {
	var targets []string
	for i := range rows {
		if target := rows[i].Front.SourceTarget; target != "" && target != "." {
			targets = append(targets, target)
		}
	}
	return sharedFolder(targets)
}

// takes reports whether a row passes the filters.
func (a asked) takes(r *row) bool {
	if a.Health != "" && a.Health != r.Health() || a.Language != "" && a.Language != r.Front.Language {
		return false
	}
	text := strings.ToLower(r.Title + "\n" + r.Path + "\n" + r.Front.SourceTarget + "\n" + r.Front.SpecID)
	for word := range strings.FieldsSeq(strings.ToLower(a.Name)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// order sorts rows by the requested column, in reverse with a "-".
func (a asked) order(rows []indexRow) {
	key, backwards := strings.CutPrefix(a.Sort, "-")
	for _, o := range orders {
		if o.key != key {
			continue
		}
		slices.SortStableFunc(rows, func(x, y indexRow) int {
			if backwards {
				return o.compare(&y, &x)
			}
			return o.compare(&x, &y)
		})
	}
}

func columns(a asked, lang message.Lang) []column {
	var out []column
	for _, o := range orders {
		c := column{Key: o.key, Title: message.Translate(lang, o.title), Class: o.class}
		next := o.key
		switch a.Sort {
		case o.key:
			c.Order, next = "ascending", "-"+o.key
		case "-" + o.key:
			c.Order = "descending"
		}
		q := url.Values{"sort": {next}}
		for name, value := range map[string]string{"name": a.Name, "health": a.Health, "language": a.Language} {
			if value != "" {
				q.Set(name, value)
			}
		}
		c.Address = "/?" + q.Encode()
		out = append(out, c)
	}
	return out
}

func sum(rows []indexRow) totals {
	t := totals{Specs: len(rows)}
	by := map[string]int{}
	for i := range rows {
		r := &rows[i]
		t.Requirements += r.Reqs
		t.Covered += r.Covered
		t.Scenarios += r.Scens
		t.Tests += r.Tests
		by[r.Health()]++
	}
	from := 0.0
	for _, h := range healths {
		if by[h] == 0 {
			continue
		}
		c := healthCount{Health: h, Specs: by[h], Share: 100 * float64(by[h]) / float64(len(rows)), From: from}
		from += c.Share
		t.Healths = append(t.Healths, c)
	}
	return t
}
