package orient

import (
	"context"
	"strconv"
	"strings"

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

// rulesOf adds the requirements of a spec whose evidence is in a place.
func (o *Orientation) rulesOf(page string, s *spec.Spec, at *Place) {
	for _, r := range s.Requirements {
		if len(o.Rules) == mostRules {
			return
		}
		for _, e := range r.Evidence {
			file, line, _ := strings.Cut(e.Place, ":")
			n, err := strconv.Atoi(line)
			if err != nil || file != at.File || n < at.Line || n > at.end {
				continue
			}
			o.addRule(Rule{ID: r.ID, Text: sentence(r), Spec: page})
			break
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
func sentence(r spec.Requirement) string {
	text := strings.TrimSpace(r.Text)
	if text == "" || strings.HasPrefix(text, "|") { // a table, which its title sums up
		return r.Title
	}
	return oneLine(text)
}
