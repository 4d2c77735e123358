package golang

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// rowNames are the names of fields that name a test case.
var rowNames = core.SetOf("name", "Name", "desc", "description", "title", "testName", "label", "scenario", "caseName", "test")

// tableSearch searches for the table of a test.
type tableSearch struct {
	*reader
	local          map[string]*ast.CompositeLit
	ranged, handed *ast.CompositeLit // the first one in a loop; the first one passed to a helper
}

// rows returns the rows of the table that a test iterates over, excluding subtests: the table
// of a loop, else one passed to a helper.
func (g *reader) rows(test ast.Node) []string {
	s := &tableSearch{reader: g, local: map[string]*ast.CompositeLit{}}
	g.each(test, func(n ast.Node) bool {
		if _, other := subtest(n); other && n != test {
			return false
		}
		s.look(n)
		return s.ranged == nil
	})
	table := s.ranged
	if table == nil {
		table = s.handed
	}
	if table == nil {
		return nil
	}
	var out []string
	at := nameField(table)
	for _, row := range table.Elts {
		out = append(out, g.rowName(row, at))
	}
	return out
}

func (s *tableSearch) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, x := range n.Lhs {
			if id, ok := x.(*ast.Ident); ok && i < len(n.Rhs) {
				s.local[id.Name] = tableIn(n.Rhs[i])
			}
		}
	case *ast.RangeStmt:
		s.ranged = s.tableOf(n.X)
	case *ast.CallExpr:
		for _, a := range n.Args {
			if id, ok := a.(*ast.Ident); ok && s.handed == nil {
				s.handed = s.tables[id.Name]
			}
		}
	}
}

// tableOf returns the literal that an expression is or names.
func (s *tableSearch) tableOf(x ast.Expr) *ast.CompositeLit {
	id, ok := x.(*ast.Ident)
	if !ok {
		return tableIn(x)
	}
	if lit, here := s.local[id.Name]; here {
		return lit
	}
	return s.tables[id.Name]
}

// tableIn returns a literal with several elements; nil for other expressions.
func tableIn(x ast.Expr) *ast.CompositeLit {
	lit, ok := x.(*ast.CompositeLit)
	if !ok || len(lit.Elts) < 2 {
		return nil
	}
	switch lit.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return lit
	case *ast.Ident: // type tests []test
		if _, fields := lit.Elts[0].(*ast.KeyValueExpr); !fields {
			return lit
		}
	}
	return nil
}

// readTables finds the package-level tables of a test file.
func (g *reader) readTables(f *ast.File) {
	g.tables = map[string]*ast.CompositeLit{}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			v, _ := s.(*ast.ValueSpec)
			for i, name := range v.Names {
				if i < len(v.Values) {
					if lit := tableIn(v.Values[i]); lit != nil {
						g.tables[name.Name] = lit
					}
				}
			}
		}
	}
}

// nameField returns the index of the field in a table's rows that is a name; -1 if unknown.
func nameField(table *ast.CompositeLit) int {
	var row ast.Expr
	switch t := table.Type.(type) {
	case *ast.ArrayType:
		row = t.Elt
	case *ast.MapType:
		row = t.Value
	}
	fields, ok := row.(*ast.StructType)
	if !ok {
		return -1
	}
	at := 0
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			if rowNames[name.Name] {
				return at
			}
			at++
		}
		if len(f.Names) == 0 {
			at++
		}
	}
	return -1
}

// rowName returns the name of a row: its key, its name field (which may be the at-th), else
// its text.
func (g *reader) rowName(row ast.Expr, at int) string {
	if kv, ok := row.(*ast.KeyValueExpr); ok {
		return g.rowText(kv.Key)
	}
	if u, ok := row.(*ast.UnaryExpr); ok {
		row = u.X
	}
	lit, ok := row.(*ast.CompositeLit)
	if !ok {
		return g.rowText(row)
	}
	for i, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok && i == at {
			return g.rowText(e)
		}
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && rowNames[key.Name] {
			return g.rowText(kv.Value)
		}
	}
	return g.rowText(lit)
}

func (g *reader) rowText(x ast.Expr) string {
	text := srctext.OneLine(g.text(x))
	if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if s, err := strconv.Unquote(text); err == nil && s != "" && !strings.ContainsAny(s, "\n\t`") {
			text = s
		}
	}
	return srctext.ClipRow(text)
}
