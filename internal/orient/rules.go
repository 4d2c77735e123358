package orient

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// rules finds the requirements about the places, in the specs of their files and of the folders around these.
func (o *Orientation) rules(ctx context.Context, p *project.Project) {
	specs := map[string]*spec.Spec{} // by page; nil for none
	for i := range o.main() {
		for _, target := range folders(o.Places[i].File) {
			if ctx.Err() != nil || len(o.Rules) == mostRules {
				return
			}
			page := spec.PathFor(spec.DefaultOutputDir, target)
			s, known := specs[page]
			if !known {
				s, _ = spec.Load(p, page) // most targets have none
				specs[page] = s
			}
			if s != nil {
				o.rulesOf(page, s, &o.Places[i])
			}
		}
	}
}

// rulesOf adds the requirements of a spec whose evidence is in a place: of one with a table, the rows that are.
func (o *Orientation) rulesOf(page string, s *spec.Spec, at *Place) {
	for i := range s.Requirements {
		r := &s.Requirements[i]
		if len(o.Rules) == mostRules {
			return
		}
		var rows []string
		for _, row := range s.Rows(r) {
			if slices.ContainsFunc(row.Places, at.has) {
				rows = append(rows, strings.Join(row.Cells, " | "))
			}
		}
		switch {
		case len(rows) > 0:
			text := strings.Join(rows[:min(len(rows), mostRows)], "; ")
			if name := "`" + explore.Short(at.Symbol, at.File) + "`"; !strings.Contains(text, name) { // the title says of what
				text = name + " | " + text
			}
			o.addRule(Rule{ID: r.ID, Text: oneLine(text), Spec: page})
		case slices.ContainsFunc(r.Evidence, func(e spec.Evidence) bool { return at.has(e.Place) }):
			o.addRule(Rule{ID: r.ID, Text: sentence(r), Spec: page})
		}
	}
}

// has reports whether file:line is in a place.
func (p *Place) has(at string) bool {
	file, line, _ := strings.Cut(at, ":")
	n, err := strconv.Atoi(line)
	return err == nil && file == p.File && n >= p.Line && n <= p.end
}

// demands adds the requirements that people wrote and linked to the places.
func (o *Orientation) demands(ctx context.Context, p *project.Project) {
	var files []string
	for i := range o.main() {
		files = append(files, o.Places[i].File)
	}
	specs, _ := adopted.LinkedTo(ctx, p, files...) // what cannot be read is left out
	for i := range o.main() {
		for _, s := range specs {
			o.demandsOf(s, &o.Places[i])
		}
	}
}

// demandsOf adds the requirements of an adopted spec that are linked to a place.
func (o *Orientation) demandsOf(s *adopted.Spec, at *Place) {
	name := explore.Short(at.Symbol, at.File)
	for _, l := range s.Accepted(false) {
		if r := s.Requirement(l.Requirement); r != nil && len(o.Rules) < mostRules && l.File == at.File && l.Symbol == name {
			o.addRule(Rule{ID: r.ID, Text: oneLine(r.Title + ": " + strings.Join(strings.Fields(r.Text), " ")), Spec: s.Path})
		}
	}
}

// addRule adds a requirement once.
func (o *Orientation) addRule(r Rule) {
	for _, known := range o.Rules {
		if known.ID == r.ID && known.Spec == r.Spec {
			return
		}
	}
	o.Rules = append(o.Rules, r)
}

// sentence returns the first sentences of a requirement, on one line.
func sentence(r *spec.Requirement) string {
	text := strings.TrimSpace(r.Text)
	if text == "" || strings.HasPrefix(text, "|") { // a table, which its title sums up
		return r.Title
	}
	return oneLine(text)
}
