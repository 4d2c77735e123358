package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
)

// stored finds what requests to the routes of the module do to the database.
var stored = Rule{
	Kind: Stored,
	find: func(m *Module, found func(Claim)) {
		for i := range m.serves {
			e := &m.serves[i]
			for _, a := range e.Stored {
				c := Claim{Subject: e.Handler.Name, Of: routeName(e), Name: a.Table, Role: a.Verb, At: []Place{servicePlace(a.At)}}
				if a.Loop {
					c.Values = append(c.Values, InLoop)
				}
				if a.Cascade {
					c.Values = append(c.Values, Cascaded)
				}
				if a.Ignores {
					c.Values = append(c.Values, Kept)
				}
				if a.Within.Line > 0 {
					c.Values, c.At = append(c.Values, Together), append(c.At, servicePlace(a.Within))
				}
				found(c)
			}
		}
	},
}

func servicePlace(at service.Place) Place { return Place{at.File, at.Line, ""} }

// hazardRoles are the roles of claims for the kinds of package service.
var hazardRoles = map[string]string{service.Conflict: Conflict, service.Separate: Separate, service.Repeated: Repeated, service.Unordered: Unordered}

// hazards finds what the accesses of the routes to the database may lead to.
var hazards = Rule{
	Kind: Hazard,
	find: func(m *Module, found func(Claim)) {
		for i := range m.serves {
			e := &m.serves[i]
			for _, h := range e.Hazards {
				c := Claim{Subject: e.Handler.Name, Of: routeName(e), Name: h.Table, Role: hazardRoles[h.Kind], Values: h.Columns}
				if h.Status > 0 {
					c.Outcome = &Outcome{Status: strconv.Itoa(h.Status)}
				}
				for _, at := range h.At {
					if p := servicePlace(at); !slices.Contains(c.At, p) {
						c.At = append(c.At, p)
					}
				}
				found(c)
			}
		}
	},
}

// touched returns the tables that the routes of the module read or write, and those that it declares for other routes, by
// name.
func (m *Module) touched() []*database.Table {
	out := slices.Clone(m.declares)
	for i := range m.serves {
		for _, t := range m.serves[i].Tables {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	slices.SortFunc(out, func(a, b *database.Table) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// tableKeys finds the keys and references of the tables that the routes of the module read or write.
var tableKeys = Rule{
	Kind: TableKey,
	find: func(m *Module, found func(Claim)) {
		for _, t := range m.touched() {
			for _, k := range t.Keys {
				role := UniqueKey
				if k.Primary {
					role = PrimaryKey
				}
				found(Claim{Name: t.Name, Values: k.Columns, Role: role, At: []Place{{k.At.File, k.At.Line, ""}}})
			}
			for _, r := range t.References {
				role := r.OnDelete
				if role == "" {
					role = NoAction
				}
				found(Claim{Name: t.Name, Values: r.Columns, Of: r.To, Role: role, At: []Place{{r.At.File, r.At.Line, ""}}})
			}
		}
	},
}

// touchedTables finds the tables that the routes of the module read or write, with their columns. Those that are known have a place.
func (m *Module) touchedTables(known map[string]bool, found func(Claim)) {
	for _, t := range m.touched() {
		c := Claim{Name: t.Name, Of: t.Model, At: []Place{{t.At.File, t.At.Line, ""}}}
		if known[t.Name] {
			c.At = nil
		}
		for _, column := range t.Columns {
			text := strings.TrimSpace(column.Name + " " + column.Type)
			if column.Required {
				text += " not null"
			}
			c.Values = append(c.Values, text)
		}
		found(c)
	}
}
