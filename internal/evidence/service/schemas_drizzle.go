package service

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// table returns the columns of a table of Drizzle: createInsertSchema(tasks). One that is not null and has no default is required
// (https://orm.drizzle.team/docs/zod).
func (x *schemas) table(f *code.File, call *code.Value, prefix string) (out []Input, ok bool) {
	at, def := x.resolved(f, call.Arg(0))
	if def == nil || def.Kind != code.ValueCall || !strings.HasSuffix(def.Text, "Table") {
		return nil, false
	}
	columns := def.Arg(1)
	if columns == nil || columns.Kind != code.ValueObject {
		return nil, false
	}
	for i := range columns.Args {
		column := &columns.Args[i]
		if column.Name == "" || column.Kind != code.ValueCall {
			continue
		}
		c := describedBy(column)
		in := Input{In: x.in, Name: prefix + column.Name, Type: c.base.Text, At: Place{at.Path, column.Line}}
		given := false
		for _, rule := range c.rules {
			switch name := Last(rule.Text); {
			case name == "notNull":
				in.Required = true
			case name == "primaryKey" || strings.HasPrefix(strings.TrimPrefix(name, "$"), "default"):
				given = true
			}
		}
		in.Required = in.Required && !given
		out = append(out, in)
	}
	return out, true
}
