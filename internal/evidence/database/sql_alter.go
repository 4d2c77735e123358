package database

import "strings"

func (s *Schema) step(x Step) { s.Steps = append(s.Steps, x) }

func (r *sqlReader) alterTable() {
	r.skip("IF", "EXISTS", "ONLY")
	t := r.schema.Of(r.name())
	if t == nil {
		return
	}
	r.list = append(append([]token{{text: "("}}, r.list...), token{text: ")"})
	for _, action := range r.parenthesis() {
		(&sqlReader{r.schema, r.file, action}).alter(t)
	}
}

// alter reads one action of ALTER TABLE.
func (r *sqlReader) alter(t *Table) {
	switch first := r.next(); {
	case first.is("ADD"):
		r.skip("COLUMN", "IF", "NOT", "EXISTS")
		if r.peek().text == "(" { // several columns
			for _, item := range r.parenthesis() {
				(&sqlReader{r.schema, r.file, item}).item(t)
			}
			return
		}
		r.item(t)
	case first.is("DROP"):
		r.dropPart(t, first)
	case first.is("RENAME"):
		r.rename(t, first)
	case first.is("ALTER"):
		r.skip("COLUMN", "IF", "EXISTS")
		at := r.peek()
		if c := t.find(r.name()); c != nil {
			r.alterColumn(t, c, at)
		}
	case first.is("MODIFY"):
		r.skip("COLUMN")
		at := r.peek()
		if c := t.find(r.name()); c != nil {
			r.redeclare(t, c, at)
		}
	case first.is("CHANGE"):
		r.skip("COLUMN")
		at := r.peek()
		was := r.name()
		if c, is := t.find(was), r.name(); c != nil {
			if !strings.EqualFold(was, is) {
				r.schema.step(Step{Table: t.Name, Column: c.Name, To: is, At: r.at(at)})
				t.renameColumn(c.Name, is)
			}
			r.redeclare(t, c, at)
		}
	}
}

func (r *sqlReader) dropPart(t *Table, first token) {
	what := r.peek()
	r.skip("COLUMN", "CONSTRAINT", "INDEX", "KEY", "FOREIGN", "IF", "EXISTS")
	if what.is("PRIMARY") {
		return
	}
	if name := r.name(); what.is("CONSTRAINT", "INDEX", "FOREIGN", "KEY") {
		r.schema.dropKey(name)
	} else {
		r.schema.step(Step{Table: t.Name, Column: name, At: r.at(first)})
		t.dropColumn(name)
	}
}

func (r *sqlReader) rename(t *Table, first token) {
	if r.peek().is("TO", "AS") {
		r.next()
		to := r.name()
		r.schema.step(Step{Table: t.Name, To: to, At: r.at(first)})
		t.Name = to
		return
	}
	if r.peek().is("CONSTRAINT", "INDEX", "KEY") {
		return
	}
	r.skip("COLUMN")
	was := r.name()
	if c := t.find(was); c != nil && r.next().is("TO") {
		to := r.name()
		r.schema.step(Step{Table: t.Name, Column: c.Name, To: to, At: r.at(first)})
		t.renameColumn(c.Name, to)
	}
}

// alterColumn reads ALTER COLUMN of PostgreSQL and others.
func (r *sqlReader) alterColumn(t *Table, c *Column, at token) {
	c.At = r.at(at)
	r.schema.step(Step{Table: t.Name, Column: c.Name, To: c.Name, At: c.At})
	switch verb := r.peek(); {
	case verb.is("SET", "DROP"):
		set := r.next().is("SET")
		switch what := r.next(); {
		case what.is("NOT"):
			c.Required = set
		case what.is("DEFAULT"):
			c.Default = ""
			if set {
				c.Default = r.expression()
			}
		case what.is("DATA"):
			r.skip("TYPE")
			r.retype(c)
		}
	default:
		r.skip("TYPE")
		r.retype(c)
		r.properties(t, c) // SQL Server declares the column again
	}
}

func (r *sqlReader) retype(c *Column) {
	c.Type = ""
	r.typed(c)
	c.Type, _, _ = strings.Cut(c.Type, " using ")
}

// redeclare reads the declaration of a column in place of its former one.
func (r *sqlReader) redeclare(t *Table, c *Column, at token) {
	c.Type, c.Default, c.Required, c.At = "", "", false, r.at(at)
	r.schema.step(Step{Table: t.Name, Column: c.Name, To: c.Name, At: c.At})
	r.typed(c)
	r.properties(t, c)
}

// find returns a column; nil if the table has none of the name.
func (t *Table) find(name string) *Column {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, bare(name)) {
			return &t.Columns[i]
		}
	}
	return nil
}

func (t *Table) renameColumn(was, is string) {
	if c := t.find(was); c != nil {
		c.Name = is
	}
	replace := func(list []string) {
		for i := range list {
			if strings.EqualFold(list[i], was) {
				list[i] = is
			}
		}
	}
	for _, k := range t.Keys {
		replace(k.Columns)
	}
	for _, x := range t.References {
		replace(x.Columns)
	}
}
