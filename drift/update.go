package drift

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Updated is a page of which statements were rewritten.
type Updated struct {
	SpecPath   string   `json:"specPath"`
	Statements []string `json:"statements"` // ids of requirements and scenarios, and the headings above rows of other tables
}

// Update rewrites the statements of specs that the items of a report say are untrue, see [spec.Restate], and notes them in
// the report. Errors are those of [spec.Restate].
func Update(ctx context.Context, p *project.Project, r *Report) error {
	pages := map[string]*spec.Restating{}
	var order []string
	for i := range r.Items {
		item := &r.Items[i]
		for _, s := range item.Statements {
			if s.Adopted {
				continue // what a person wrote stays
			}
			file, line := splitLocation(s.Location)
			what := pages[file]
			if what == nil {
				what = &spec.Restating{}
				pages[file], order = what, append(order, file)
			}
			if strings.HasPrefix(s.ID, "REQ-") || strings.HasPrefix(s.ID, "SC-") {
				what.IDs = append(what.IDs, s.ID)
			} else {
				what.Rows = append(what.Rows, line)
			}
			what.Gone = append(what.Gone, onlyOld(item)...)
			if c := item.outdated(); c != nil && !slices.Contains(what.Claims, *c) {
				what.Claims = append(what.Claims, *c)
			}
		}
	}
	for _, file := range order {
		done, err := spec.Restate(ctx, p, file, *pages[file])
		if err != nil {
			return err
		}
		if len(done) > 0 {
			r.Updated = append(r.Updated, Updated{file, done})
		}
	}
	return nil
}

// outdated returns the claim that an item is about; nil for other items.
func (i *Item) outdated() *spec.Outdated {
	switch {
	case i.old == nil || i.Rule == "claim-added":
		return nil
	case i.Rule == "claim-removed":
		return &spec.Outdated{Old: i.old}
	}
	return &spec.Outdated{Old: i.old, Now: i.now}
}

// updates writes which statements were rewritten.
func (r *Report) updates() []string {
	var out []string
	for _, u := range r.Updated {
		out = append(out, u.SpecPath+": "+strconv.Itoa(len(u.Statements))+" ("+strings.Join(u.Statements, ", ")+")")
	}
	return out
}
