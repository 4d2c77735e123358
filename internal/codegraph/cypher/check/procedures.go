package check

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Procedure describes a procedure, or a form of SHOW. None of them has arguments.
type Procedure struct {
	Name    string // for messages and lists: dotted, or SHOW and a word
	Columns []string
	Says    message.Text // what the rows are
	kinds   []kind       // of the columns
	Keys    []string     // of the maps in its columns; nil if there are none
}

// Procedures are the procedures, by name.
var Procedures = []Procedure{
	{
		Name: "db.labels", Columns: []string{"label"}, kinds: []kind{is(text)},
		Says: message.New("the labels of the nodes"),
	},
	{
		Name: "db.propertyKeys", Columns: []string{"propertyKey"}, kinds: []kind{is(text)},
		Says: message.New("the names of the properties"),
	},
	{
		Name: "db.relationshipTypes", Columns: []string{"relationshipType"}, kinds: []kind{is(text)},
		Says: message.New("the types of the relationships"),
	},
	{
		Name:    "db.schema.nodeTypeProperties",
		Columns: []string{"nodeType", "nodeLabels", "propertyName", "propertyTypes", "mandatory"},
		kinds:   []kind{is(text), listOf(is(text)), is(text), listOf(is(text)), is(boolean)},
		Says:    message.New("the properties that nodes of each label have, with the types of their values"),
	},
	{
		Name:    "db.schema.relTypeProperties",
		Columns: []string{"relType", "propertyName", "propertyTypes", "mandatory"},
		kinds:   []kind{is(text), is(text), listOf(is(text)), is(boolean)},
		Says:    message.New("the properties that relationships of each type have, with the types of their values"),
	},
	{
		Name: "db.schema.visualization", Columns: []string{"nodes", "relationships"}, kinds: []kind{listOf(is(mapping)), listOf(is(mapping))},
		Keys: []string{"name", "count", "from", "type", "to"},
		Says: message.New("the labels, and which of them are connected by which types of relationships, with their numbers"),
	},
	{
		Name: "dbms.functions", Columns: []string{"name", "category"}, kinds: []kind{is(text), is(text)},
		Says: message.New("the functions"),
	},
	{
		Name: "dbms.procedures", Columns: []string{"name", "description", "mode"}, kinds: []kind{is(text), is(text), is(text)},
		Says: message.New("the procedures"),
	},
	{
		Name:    "dbms.indexes",
		Columns: []string{"name", "type", "entityType", "labelsOrTypes", "properties"},
		kinds:   []kind{is(text), is(text), is(text), listOf(is(text)), listOf(is(text))},
		Says:    message.New("the indexes, which are always there"),
	},
	{
		Name:    "dbms.constraints",
		Columns: []string{"name", "type", "entityType", "labelsOrTypes", "properties"},
		kinds:   []kind{is(text), is(text), is(text), listOf(is(text)), listOf(is(text))},
		Says:    message.New("the constraints, which always hold"),
	},
}

// shown maps what follows SHOW to the procedure that answers it.
var shown = map[string]string{
	"FUNCTIONS": "dbms.functions", "FUNCTION": "dbms.functions", "PROCEDURES": "dbms.procedures", "PROCEDURE": "dbms.procedures",
	"INDEXES": "dbms.indexes", "INDEX": "dbms.indexes", "CONSTRAINTS": "dbms.constraints", "CONSTRAINT": "dbms.constraints",
}

// shownElsewhere maps what follows SHOW to what to use instead.
var shownElsewhere = map[string]message.Text{
	"DATABASES": message.New("each project has a graph of its own, and a query asks one of them: reverse-spec projects lists them, "+
		"over MCP %s does", "list_projects"),
	"TRANSACTIONS": message.New("there is no server: a query ends with its program, or after --timeout"),
}

// FindProcedure returns the procedure of a CALL or SHOW; nil if there is none.
func FindProcedure(name string) *Procedure {
	if words, ok := strings.CutPrefix(name, "SHOW "); ok {
		for _, w := range []string{"ALL ", "BUILT IN ", "USER DEFINED ", "RANGE ", "TEXT "} {
			words = strings.TrimPrefix(words, w)
		}
		name = shown[words]
	}
	i := slices.IndexFunc(Procedures, func(p Procedure) bool { return strings.EqualFold(p.Name, name) })
	if i < 0 {
		return nil
	}
	return &Procedures[i]
}

// procedure checks CALL of a procedure, or SHOW, and adds its columns to the scope.
func (c *checker) procedure(call *syntax.CallProcedure, s *scope) {
	p := FindProcedure(call.Name)
	if p == nil {
		c.noProcedure(call)
		return
	}
	if len(call.Args) > 0 {
		c.fault(call.Args[0].Start(), invalidNumberOfArguments, message.New("write %s()", p.Name),
			message.New("%s has no arguments", p.Name))
	}
	if call.Yield == nil && !call.All {
		c.fault(call.At, invalidComposition, message.New("write CALL %s() YIELD %s", p.Name, strings.Join(p.Columns, ", ")),
			message.New("CALL within a query needs YIELD"))
	}
	if call.All {
		for i, name := range p.Columns {
			c.yield(&syntax.Variable{At: call.At, Name: name}, p.kinds[i], s)
		}
	}
	for _, y := range call.Yield {
		i := slices.Index(p.Columns, y.Column)
		if i < 0 {
			c.fault(y.As.At, undefinedVariable, message.New("its columns are: %s", strings.Join(p.Columns, ", ")),
				message.New("%s has no column `%s`", p.Name, y.Column))
			return
		}
		c.yield(y.As, p.kinds[i], s)
	}
	if call.Where != nil {
		c.condition(call.Where, env{scope: s})
	}
}

// yielded returns the columns of a procedure that is the whole query.
func (c *checker) yielded(call *syntax.CallProcedure) (columns []column) {
	for _, name := range ProcedureColumns(call) {
		columns = append(columns, column{name, unknown})
	}
	return columns
}

// ProcedureColumns returns the names that a procedure binds, in order.
func ProcedureColumns(call *syntax.CallProcedure) (names []string) {
	p := FindProcedure(call.Name)
	if p != nil && call.All {
		return p.Columns
	}
	for _, y := range call.Yield {
		names = append(names, y.As.Name)
	}
	return names
}

// yield binds a column of a procedure.
func (c *checker) yield(as *syntax.Variable, k kind, s *scope) {
	if _, owner := s.find(as.Name); owner != nil {
		c.alreadyBound(as)
	}
	s.names[as.Name] = k
}

// noProcedure reports an unknown procedure. It is no syntax error, because another engine may have it.
func (c *checker) noProcedure(call *syntax.CallProcedure) {
	if words, ok := strings.CutPrefix(call.Name, "SHOW"); ok {
		words = strings.TrimSpace(words)
		advice, known := shownElsewhere[words]
		if !known && !strings.HasSuffix(words, "S") {
			advice, known = shownElsewhere[words+"S"]
		}
		if strings.HasSuffix(words, " DATABASE") {
			advice, known = shownElsewhere["DATABASES"], true
		}
		if !known {
			advice = message.New("SHOW FUNCTIONS, SHOW PROCEDURES, SHOW INDEXES and SHOW CONSTRAINTS are; CALL db.labels() lists the labels")
		}
		c.report(syntax.Unsupported, call.At, procedureNotFound, advice, message.New("%s is not part of the language here", call.Name))
		return
	}
	names := make([]string, len(Procedures))
	for i, p := range Procedures {
		names[i] = p.Name
	}
	advice := message.New("SHOW PROCEDURES lists what there is")
	if near := suggest.Nearest(call.Name, names); near != "" {
		advice = message.New("did you mean %s?", near)
	}
	c.report(syntax.Unsupported, call.At, procedureNotFound, advice, message.New("there is no procedure %s to CALL", call.Name))
}
