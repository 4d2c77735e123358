package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Access is what an endpoint does to a table or the class that stands for it.
type Access struct {
	Verb      string // one of the verbs below
	Table     string // as the schema, SQL or the model names it
	At        Place
	Loop      bool     // once for each element of a loop: At is there
	Alone     bool     // it takes effect by itself: no transaction is around it
	Within    Place    // where the transaction around it begins; the zero Place for none
	Upsert    bool     // the statement says what becomes of a conflict
	Ignores   bool     // and that is that nothing is written
	Sets      []string // the columns that an update sets, if they are known
	Caught    bool     // what the database refuses is caught
	Unordered bool     // a part of the rows is read, at page, of which no order is given
	page      Place
	Cascade   bool // by the database or the mapper, as a consequence of a deletion
	driver    string
}

// The verbs of an [Access].
const (
	Reads   = "read"
	Inserts = "insert"
	Updates = "update"
	Deletes = "delete"
)

// accesses sets what the functions that an endpoint reaches do to the database, and what that may lead to.
func (r *reader) accesses(e *Endpoint) {
	w := &accessWalk{reader: r, endpoint: e, seen: map[walked]bool{}, held: map[string]row{}}
	for _, s := range append(slices.Clone(e.Chain), e.Handler) {
		w.step(&s)
	}
	r.consequences(e)
	r.hazards(e)
	for _, a := range e.Stored {
		if t := r.Tables.Of(a.Table); t != nil && !slices.Contains(e.Tables, t) {
			e.Tables = append(e.Tables, t)
		}
	}
}

// accessWalk follows the calls of an endpoint.
type accessWalk struct {
	*reader
	endpoint *Endpoint
	seen     map[walked]bool
	held     map[string]row // fields of the object that answers, "@article": a step before the handler may set them
}

// frame is what is around a statement, in its function and in the callers.
type frame struct {
	loop, caught bool
	transaction  Place // where it begins; the zero Place for none
}

type walked struct {
	node  *resolve.Node
	given string // the models given to parameters of any type
	frame
}

// step follows a step: a function of the project, or a function literal.
func (w *accessWalk) step(s *Step) {
	if s.Node != nil || s.Body == nil || s.Body.End == 0 {
		w.function(s.Node, resolve.Call{}, frame{}, 0)
		return
	}
	r := region{s.At.File, s.Body.Line, s.Body.End}
	around := newFrames(s.Body, w.transactionIn(r))
	around.elements(w.File(r.file), r)
	w.lines(Site{File: w.File(r.file), Body: s.Body}, r, around, map[string]row{}, frame{})
	for _, u := range w.callsOf(r.file, nil, s.Body) {
		w.function(u.To, w.givenTo(r.file, u), around.of(u, frame{}), 1)
	}
}

// region is some lines of a file.
type region struct {
	file        string
	first, last int
}

// function follows the calls of a function. Call is the call of it; the zero Call if it is not known.
func (w *accessWalk) function(n *resolve.Node, call resolve.Call, around frame, depth int) {
	if n == nil || depth > maxDepth || n.IsType() {
		return
	}
	rows := w.rows(n, call)
	key := walked{n, modelsIn(rows), around}
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	lines := w.frames(n)
	w.lines(Site{File: w.File(n.File), Function: n, Body: w.bodyOf(n)}, region{n.File, n.StartLine, n.EndLine}, lines, rows, around)
	for _, u := range w.Links.Calls(n) {
		w.function(u.To, w.givenTo(n.File, u), lines.of(u, around), depth+1)
	}
}

// givenTo returns what a call gives to a function with a parameter of any type.
func (w *accessWalk) givenTo(file string, u resolve.Use) resolve.Call {
	s := w.Symbol(u.To)
	if s == nil || !slices.ContainsFunc(s.Params, func(p code.Param) bool { return slices.Contains(anyTypes, p.Type) }) {
		return resolve.Call{}
	}
	return w.Links.Call(file, u.Name, u.Line)
}

// modelsIn returns a text that tells rows of variables from others.
func modelsIn(rows map[string]row) string {
	var out []string
	for name, r := range rows {
		out = append(out, name+"="+r.model)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// lines adds what the calls in some lines of a function do. Held are the rows in variables at their beginning.
func (w *accessWalk) lines(site Site, r region, lines *frames, held map[string]row, around frame) {
	unordered := w.unordered(r)
	for c := range w.CallsIn(r.file, r.first, r.last) {
		in := lines.at(c.Line, around)
		for _, a := range w.access(c, held) {
			a.Loop, a.Caught, a.Within = in.loop || c.Each, in.caught, in.transaction
			a.Alone = a.Alone && in.transaction == Place{}
			if a.Unordered = a.Unordered || a.Verb == Reads && unordered[c.root()]; a.Unordered {
				a.page = a.At
			}
			w.endpoint.access(a)
		}
		w.hold(c, held)
		w.holdChosen(site.Body, c, held)
		w.leads(site, c, in)
		w.function(w.rowMethodOf(c, held), resolve.Call{}, in, 1)
	}
}

// leads follows a call to the functions that it leads to by the framework.
func (w *accessWalk) leads(site Site, c Call, in frame) {
	if w.framework.Follows == nil || site.Body == nil {
		return
	}
	site.Place = paths.Place{Stmt: &code.Stmt{Line: c.Line, Value: &c.Value}}
	for _, n := range w.framework.Follows(w.Project, site, &c.Value) {
		w.function(n, resolve.Call{}, in, 1)
	}
}

// access adds an access, or to the known one what this one adds.
func (e *Endpoint) access(a Access) {
	at := slices.IndexFunc(e.Stored, func(b Access) bool { return b.Verb == a.Verb && b.Table == a.Table })
	if at < 0 {
		e.Stored = append(e.Stored, a)
		return
	}
	e.Stored[at].also(&a)
}

// also adds what another access of the same kind to the same table adds.
func (a *Access) also(b *Access) {
	if b.Loop && !a.Loop {
		a.At = b.At
	}
	if b.Unordered && !a.Unordered {
		a.page = b.page
	}
	a.Loop, a.Alone, a.Unordered = a.Loop || b.Loop, a.Alone || b.Alone, a.Unordered || b.Unordered
	a.Upsert, a.Caught, a.Ignores = a.Upsert && b.Upsert, a.Caught && b.Caught, a.Ignores && b.Ignores
	if a.Within != b.Within {
		a.Within = Place{}
	}
	for _, column := range b.Sets {
		if !slices.Contains(a.Sets, column) {
			a.Sets = append(a.Sets, column)
		}
	}
}

// consequences adds the rows that are deleted or changed because others are.
func (r *reader) consequences(e *Endpoint) {
	var follow func(t *database.Table, depth int)
	follow = func(t *database.Table, depth int) {
		if t == nil || depth > maxSteps {
			return
		}
		r.Tables.Referring(t, func(from *database.Table, ref *database.Reference) {
			verb := map[string]string{database.Cascade: Deletes, database.SetNull: Updates}[ref.OnDelete]
			if verb == "" || slices.ContainsFunc(e.Stored, func(a Access) bool { return a.Verb == verb && a.Table == from.Name }) {
				return
			}
			e.Stored = append(e.Stored, Access{Verb: verb, Table: from.Name, At: Place(ref.At), Cascade: true})
			if verb == Deletes {
				follow(from, depth+1)
			}
		})
	}
	for _, a := range slices.Clone(e.Stored) {
		if a.Verb == Deletes && r.Tables != nil {
			follow(r.Tables.Of(a.Table), 0)
		}
	}
}

// frames are the lines of a function with what is around them.
type frames struct {
	lines       []framed
	loops       []region             // function literals that are called for each element
	each        map[elementCall]bool // calls in comprehensions
	transaction Place                // where one begins, which lasts to the end; the zero Place for none
}

type framed struct {
	line int
	frame
}

// elementCall is a call by the line and the last part of its name.
type elementCall struct {
	line int
	name string
}

// of returns what is around a use, given what is around the function.
func (f *frames) of(u resolve.Use, around frame) frame {
	out := f.at(u.Line, around)
	out.loop = out.loop || f.each[elementCall{u.Line, u.To.Name}]
	return out
}

// at returns what is around a line, given what is around the function.
func (f *frames) at(line int, around frame) frame {
	for i := len(f.lines) - 1; i >= 0; i-- {
		if l := &f.lines[i]; l.line <= line {
			around.loop, around.caught = around.loop || l.loop, around.caught || l.caught
			break
		}
	}
	around.loop = around.loop || slices.ContainsFunc(f.loops, func(r region) bool { return line >= r.first && line <= r.last })
	if around.transaction.Line == 0 && f.transaction.Line > 0 && line >= f.transaction.Line {
		around.transaction = f.transaction
	}
	return around
}

// frames returns what is around the lines of a function.
func (r *reader) frames(n *resolve.Node) *frames {
	out := newFrames(r.bodyOf(n), r.transactionOf(n))
	out.elements(r.File(n.File), region{n.File, n.StartLine, n.EndLine})
	return out
}

// elements notes the function literals and calls in some lines that are called for each element of something.
func (f *frames) elements(file *code.File, r region) {
	if file == nil {
		return
	}
	for i := range file.Bodies.Functions {
		if b := &file.Bodies.Functions[i]; b.Use.Kind == code.UseArgument && b.Line >= r.first && b.End <= r.last && b.End > 0 && perElement(b.Use.Of) {
			f.loops = append(f.loops, region{r.file, b.Line, b.End})
		}
	}
	for i := range file.Bodies.Calls {
		if c := &file.Bodies.Calls[i]; c.Each && c.Line >= r.first && c.Line <= r.last {
			if f.each == nil {
				f.each = map[elementCall]bool{}
			}
			f.each[elementCall{c.Line, Last(c.Value.Text)}] = true
		}
	}
}

// newFrames returns what is around the lines of a body, which may be nil.
func newFrames(body *code.Body, transaction Place) *frames {
	out := &frames{transaction: transaction}
	if body != nil {
		out.block(body.Stmts, frame{})
	}
	slices.SortStableFunc(out.lines, func(a, b framed) int { return a.line - b.line })
	return out
}

func (f *frames) block(list []code.Stmt, in frame) {
	for i := range list {
		s := &list[i]
		f.lines = append(f.lines, framed{s.Line, in})
		inner := in
		switch {
		case s.Op == code.StmtLoop, s.Op == code.StmtClosure && perElement(s.Text):
			inner.loop = true
		case s.Op == code.StmtTry && catchesStore(s.Arms):
			inner.caught = true
		}
		f.block(s.Body, inner)
		f.block(s.Else, in)
		for j := range s.Arms {
			f.block(s.Arms[j].Body, in)
		}
	}
}

// eachCalls are functions that call a closure for each element; those of the second list do so for collections only, where the text
// shows a stream or an iterator: map is also a method of what is there or not.
var (
	eachCalls   = []string{"forEach", "each", "each_with_index", "find_each", "array_map", "ForEach", "for_each", "map!", "flat_map", "concatMap", "each_slice"}
	eachOfSome  = []string{"map", "flatMap", "collect", "filter_map"}
	notElements = []string{"find", "Optional", "orElse", "Some(", "get_", "by_id", "ById"}
)

// perElement reports whether a function calls a closure for each element, by its text.
func perElement(text string) bool {
	name := Last(text)
	if slices.Contains(eachCalls, name) {
		return true
	}
	if !slices.Contains(eachOfSome, name) {
		return false
	}
	if strings.Contains(text, "stream") || strings.Contains(text, "iter") {
		return true
	}
	return !slices.ContainsFunc(notElements, func(word string) bool { return strings.Contains(text, word) })
}
