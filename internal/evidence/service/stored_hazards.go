package service

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
)

// Hazard is what the accesses of an endpoint may lead to, and nothing in the code prevents.
type Hazard struct {
	Kind    string // one of the kinds below
	Table   string
	Columns []string // of the key, of a [Conflict]; else the tables
	Status  int      // what a [Conflict] is answered with
	At      []Place
}

// The kinds of hazards.
const (
	Conflict  = "conflict"  // rows are inserted that may have the key of others, and nothing handles the error
	Separate  = "separate"  // several writes without a transaction around them
	Repeated  = "repeated"  // a query for each element of a loop
	Unordered = "unordered" // a page of rows without an order
)

// hazards sets what the accesses of an endpoint may lead to.
func (r *reader) hazards(e *Endpoint) {
	var tables []string
	var at []Place
	for i := range e.Stored {
		a := &e.Stored[i]
		if a.Cascade {
			continue
		}
		if a.Verb == Inserts || a.Verb == Updates && len(a.Sets) > 0 {
			r.conflicts(e, a)
		}
		if a.Alone && a.Verb != Reads {
			if tables = append(tables, a.Verb+" "+a.Table); !slices.Contains(at, a.At) {
				at = append(at, a.At)
			}
		}
		if a.Loop {
			e.hazard(Hazard{Kind: Repeated, Table: a.Table, At: []Place{a.At}})
		}
		if a.Unordered {
			e.hazard(Hazard{Kind: Unordered, Table: a.Table, At: []Place{a.page}})
		}
	}
	if len(at) > 1 {
		e.hazard(Hazard{Kind: Separate, Columns: tables, At: at})
	}
}

// hazard adds a hazard, or its places to that of the same table.
func (e *Endpoint) hazard(h Hazard) {
	for i := range e.Hazards {
		if known := &e.Hazards[i]; known.Kind == h.Kind && known.Table == h.Table && slices.Equal(known.Columns, h.Columns) {
			known.At = append(known.At, h.At...)
			return
		}
	}
	e.Hazards = append(e.Hazards, h)
}

// conflicts adds the keys that a new or changed row may share with another one, if the framework answers the error.
func (r *reader) conflicts(e *Endpoint, a *Access) {
	t := r.Tables.Of(a.Table)
	if t == nil || a.Upsert || a.Caught || a.driver == "" {
		return
	}
	status, ok := r.conflictStatus(e, a)
	if !ok || status < 500 {
		return
	}
	for i := range t.Keys {
		k := &t.Keys[i]
		if a.Verb == Updates && !slices.ContainsFunc(k.Columns, func(c string) bool { return slices.Contains(a.Sets, c) }) {
			continue
		}
		if t.Given(k) && !generated(k) {
			e.hazard(Hazard{Kind: Conflict, Table: t.Name, Columns: k.Columns, Status: status, At: []Place{Place(k.At), a.At}})
		}
	}
}

// generated reports whether a key is one that programs make at random, by its name: id, uuid, a token.
func generated(k *database.Key) bool {
	if len(k.Columns) != 1 {
		return false
	}
	name := strings.ToLower(k.Columns[0])
	return k.Primary && (name == "id" || name == "uuid" || name == "guid" || strings.HasSuffix(name, "_id")) || strings.Contains(name, "token") || strings.Contains(name, "uuid")
}

// drivers are the errors with which mappers and drivers report a conflict, with the classes above them, closest first.
var drivers = map[string][]string{
	"django": {"IntegrityError", "DatabaseError", "Error", "Exception"}, "sqlalchemy": {"IntegrityError", "DatabaseError", "DBAPIError", "SQLAlchemyError", "Exception"},
	"asyncpg": {"UniqueViolationError", "IntegrityConstraintViolationError", "PostgresError", "Exception"},
	"rails":   {"RecordNotUnique", "WrappedDatabaseException", "StatementInvalid", "ActiveRecordError", "StandardError"},
	"laravel": {"UniqueConstraintViolationException", "QueryException", "PDOException", "RuntimeException", "Exception", "Throwable"},
	"prisma":  {"PrismaClientKnownRequestError", "Error"}, "typeorm": {"QueryFailedError", "TypeORMError", "Error"},
	"spring": {"DataIntegrityViolationException", "NonTransientDataAccessException", "DataAccessException", "NestedRuntimeException", "RuntimeException", "Exception", "Throwable"},
}

// conflictStatus returns the status of the answer to a conflict; ok is false if that is not determined.
func (r *reader) conflictStatus(e *Endpoint, a *Access) (status int, ok bool) {
	chain := drivers[a.driver]
	switch {
	case r.framework.Name == "Express" && !r.has(expressAwaits): // the request may stay without an answer
		return 0, false
	case r.errors != nil:
		status = r.errors(Site{}, chain[0], nil, Answer{Error: chain[0]}).Status
		return status, status > 0
	case r.framework.Unhandled == 0:
		return 0, false
	}
	handled := func(h Handler) bool { return slices.Contains(chain, Last(h.Class)) || h.Class == "" }
	if slices.ContainsFunc(e.Handlers, handled) || slices.ContainsFunc(r.handlers, handled) {
		return 0, false
	}
	return r.framework.Unhandled, true
}

// limitCalls and orderCalls are methods of queries that choose a part of the rows and that order them.
var (
	limitCalls = map[string]bool{"limit": true, "Limit": true, "take": true, "Take": true, "setMaxResults": true}
	skipCalls  = map[string]bool{"offset": true, "Offset": true, "skip": true, "Skip": true, "setFirstResult": true}
)

// unordered returns the first calls of the chains in some lines that read a page of rows, select(Item).offset(a).limit(b), if
// nothing there orders rows.
func (r *reader) unordered(lines region) map[*code.CallUse]bool {
	limits, skips := map[*code.CallUse]bool{}, map[*code.CallUse]bool{}
	for c := range r.CallsIn(lines.file, lines.first, lines.last) {
		_, name := c.Of()
		switch {
		case ordersRows(name):
			return nil
		case limitCalls[name]:
			limits[c.origin()] = true
		case skipCalls[name]:
			skips[c.origin()] = true
		}
	}
	maps.DeleteFunc(limits, func(c *code.CallUse, _ bool) bool { return !skips[c] })
	return limits
}

// root returns the first call of the chain that a call is in.
func (c Call) root() *code.CallUse {
	u := c.CallUse
	for u.After > 0 {
		u = &c.File.Bodies.Calls[u.After-1]
	}
	return u
}

// origin returns the first call of the chain that a call is in; of a chain on a variable, that of the chain that made its value:
// query = select(Item); query = query.limit(n).
func (c Call) origin() *code.CallUse {
	root := c.root()
	name, _ := Call{c.File, root}.Of()
	if name == "" || strings.ContainsAny(name, ".()") {
		return root
	}
	for made := range (Call{c.File, root}).AssignedTo(name) {
		if first := made.root(); !strings.HasPrefix(first.Value.Text, name+".") {
			return first
		}
	}
	return root
}

// ordersRows reports whether a text is that of a call that orders rows.
func ordersRows(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "order") || strings.Contains(name, "sort") || name == "latest" || name == "oldest"
}

// page reports whether an object gives the part of the rows that is read, and no order: { take, skip }.
func page(v *code.Value) bool {
	return v != nil && v.Kind == code.ValueObject && v.Named("take", "limit") != nil && v.Named("skip", "offset") != nil && v.Named("orderBy", "order", "cursor") == nil
}
