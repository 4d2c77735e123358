package diagram

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// callable is a function or method of the module, or the top-level statements of a file.
type callable struct {
	name     string // qualified; "" for the statements of a file
	owner    string // the type of a method; "" otherwise
	kind     code.Kind
	file     *code.File
	line     int
	exported bool
	params   []code.Param
	self     string // Go: name of the receiver
	calls    []code.Call
	resolved []*callable // valid once resolved
	done     bool
}

// resolver resolves calls within the module by names and declared types. Calls that it cannot
// resolve are ignored.
type resolver struct {
	functions []*callable
	free      map[string][]*callable // functions by name
	methods   map[string][]*callable // methods by "Type.method", bare names
	fields    map[string]string      // "Type.field" -> its declared type
	types     map[string][]*code.Symbol
	bases     map[string][]string // type -> bare names of its bases
	lines     map[string][]string // type -> the type and all its ancestors
}

func newResolver(files []*code.File) *resolver {
	r := &resolver{
		free: map[string][]*callable{}, methods: map[string][]*callable{}, fields: map[string]string{},
		types: map[string][]*code.Symbol{}, bases: map[string][]string{},
		lines: map[string][]string{},
	}
	for _, f := range files {
		if f.Constraint != "" {
			continue // for another platform
		}
		for i := range f.Symbols {
			r.add(f, "", &f.Symbols[i], true)
		}
		statements := &callable{file: f, line: 1}
		for _, e := range f.Entries {
			if e.Name == "" {
				statements.line = e.Line
			}
		}
		r.functions = append(r.functions, statements)
	}
	r.giveCalls()
	return r
}

// add adds a symbol and its members.
func (r *resolver) add(f *code.File, owner string, s *code.Symbol, exported bool) {
	name := s.Name
	if owner != "" {
		name = owner + "." + name
	}
	exported = exported && s.Exported
	switch s.Kind {
	case code.Function, code.Method, code.Constructor, code.Getter, code.Setter:
		fn := &callable{
			name: name, kind: s.Kind, file: f, line: s.StartLine, exported: exported, params: s.Params, self: receiverName(s.Receiver),
		}
		r.functions = append(r.functions, fn)
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			r.free[name] = append(r.free[name], fn)
			return
		}
		fn.owner = lastState(name[:at])
		key := fn.owner + "." + name[at+1:]
		r.methods[key] = append(r.methods[key], fn)
		return
	case code.Property, code.Embedded:
		if owner != "" && s.Returns != "" {
			r.fields[lastState(owner)+"."+s.Name] = s.Returns
		}
	case code.Const, code.Variable, code.EnumMember:
	default:
		r.types[s.Name] = append(r.types[s.Name], s)
		for _, base := range s.Bases {
			r.bases[s.Name] = append(r.bases[s.Name], baseName(base))
		}
	}
	for i := range s.Members {
		r.add(f, name, &s.Members[i], exported)
	}
}

// receiverName returns the name in "(s *Server)"; "" for other receivers.
func receiverName(receiver string) string {
	name, _, ok := strings.Cut(strings.Trim(receiver, "()"), " ")
	if !ok {
		return ""
	}
	return name
}

// giveCalls assigns calls to their functions. Overloads share a name; a call belongs to the
// one that starts last before it.
func (r *resolver) giveCalls() {
	type key struct {
		file *code.File
		name string
	}
	at := map[key][]*callable{}
	for _, f := range r.functions {
		at[key{f.file, f.name}] = append(at[key{f.file, f.name}], f)
	}
	for _, f := range r.functions {
		if f.name != "" {
			continue // each file once
		}
		for _, c := range f.file.Calls {
			var in *callable
			for _, candidate := range at[key{f.file, c.In}] {
				if in == nil || candidate.line <= c.Line && candidate.line > in.line {
					in = candidate
				}
			}
			if in != nil {
				in.calls = append(in.calls, c)
			}
		}
	}
}

// entry returns the function of an entry point, or nil if unknown.
func (r *resolver) entry(file *code.File, e code.Entry) *callable {
	for _, f := range r.functions {
		if f.file == file && f.name == e.Name {
			return f
		}
	}
	return nil
}

// callees returns the module's functions that f calls, without duplicates or f itself, in the
// order of lines.
func (r *resolver) callees(f *callable) []*callable {
	if f == nil {
		return nil
	}
	if f.done {
		return f.resolved
	}
	f.done = true
	slices.SortStableFunc(f.calls, func(a, b code.Call) int { return a.Line - b.Line })
	for _, c := range f.calls {
		if callee := r.resolve(f, c); callee != nil && callee != f && !slices.Contains(f.resolved, callee) {
			f.resolved = append(f.resolved, callee)
		}
	}
	return f.resolved
}

// resolve returns the target of a call in f, or nil if it is unknown or outside the module.
func (r *resolver) resolve(f *callable, c code.Call) *callable {
	if c.Receiver == "" {
		return r.plain(f, c)
	}
	typ := r.typeOf(f, c.Receiver)
	if typ == "" {
		return nil
	}
	return r.method(f, typ, c.Name)
}

// plain resolves a call without a receiver.
func (r *resolver) plain(f *callable, c code.Call) *callable {
	if c.Local || hasParam(f, c.Name) {
		return nil
	}
	if c.New || f.file.Language == "python" && r.types[c.Name] != nil {
		return r.constructor(f, c.Name)
	}
	if f.owner != "" && ownMethods[f.file.Language] {
		if own := r.method(f, f.owner, c.Name); own != nil {
			return own
		}
	}
	return r.nearest(f, c.Name, r.free[c.Name])
}

// ownMethods are the languages where methods are called without a receiver.
var ownMethods = map[string]bool{"java": true, "csharp": true, "cpp": true, "kotlin": true, "swift": true, "scala": true, "ruby": true}

// constructor returns the constructor of a type, or nil if none is declared.
func (r *resolver) constructor(f *callable, typ string) *callable {
	typ = baseName(typ)
	for _, name := range []string{"constructor", "__init__", typ, "__construct", "initialize", "init"} {
		if m := r.nearest(f, name, r.methods[typ+"."+name]); m != nil && m.kind == code.Constructor {
			return m
		}
	}
	return nil
}

// method finds a method of a type or its ancestors.
func (r *resolver) method(f *callable, typ, name string) *callable {
	for _, owner := range r.line(typ) {
		if found := r.nearest(f, name, r.methods[owner+"."+name]); found != nil {
			return found
		}
	}
	return nil
}

// line returns a type and its ancestors, nearest first.
func (r *resolver) line(typ string) []string {
	if known := r.lines[typ]; known != nil {
		return known
	}
	line := []string{typ}
	for i := 0; i < len(line); i++ {
		for _, base := range r.bases[line[i]] {
			if !slices.Contains(line, base) {
				line = append(line, base)
			}
		}
	}
	r.lines[typ] = line
	return line
}

// typeOf returns the bare type name of a receiver; "" if it is unknown or outside the module.
func (r *resolver) typeOf(f *callable, receiver string) string {
	first, rest, _ := strings.Cut(receiver, ".")
	typ := ""
	switch {
	case f.owner != "" && (first == f.self && f.self != "" || slices.Contains(selves, first)):
		typ = f.owner
	case r.types[first] != nil && !hasParam(f, first):
		typ = first
	default:
		for _, p := range f.params {
			if p.Name == first {
				typ = r.declared(p.Type)
			}
		}
	}
	for rest != "" && typ != "" {
		var field string
		field, rest, _ = strings.Cut(rest, ".")
		typ = r.declared(r.fields[typ+"."+field])
	}
	return typ
}

// selves are the names of the receiver within a method.
var selves = []string{"this", "self", "cls", "Self", "$this", "static"}

func hasParam(f *callable, name string) bool {
	return slices.ContainsFunc(f.params, func(p code.Param) bool { return p.Name == name })
}

// declared returns the bare name of a declared type of the module; "" for others. A list of a
// type is not that type.
func (r *resolver) declared(typ string) string {
	typ = strings.TrimPrefix(strings.TrimLeft(typ, "*& "), "mut ")
	name, arguments, generic := strings.Cut(typ, "<")
	if generic && (arguments == "" || r.types[name] == nil) || strings.ContainsAny(name, "[]().| ") || r.types[name] == nil {
		return ""
	}
	return name
}

// nearest selects, among functions with one name, the one visible in a file: in the file
// itself, or else the only one in its package, or the only one that it imports.
func (r *resolver) nearest(f *callable, name string, list []*callable) *callable {
	own := slices.DeleteFunc(slices.Clone(list), func(c *callable) bool { return c.file != f.file })
	if len(own) > 0 {
		return own[0]
	}
	seen := slices.DeleteFunc(slices.Clone(list), func(c *callable) bool { return !r.visible(f, c, name) })
	if len(seen) == 0 || slices.ContainsFunc(seen, func(c *callable) bool { return c.file != seen[0].file }) {
		return nil
	}
	return seen[0]
}

// visible reports whether f's file can refer to c.
func (r *resolver) visible(f, c *callable, name string) bool {
	if f.file.Language != c.file.Language {
		return false
	}
	if c.owner != "" { // found by its type
		return true
	}
	if fileModules[f.file.Language] {
		return slices.ContainsFunc(f.file.Imports, func(i code.Import) bool {
			return (slices.Contains(i.Named, name) || slices.Contains(i.Named, "*")) && importsFile(i.Module, c.file.Path)
		})
	}
	return path.Dir(f.file.Path) == path.Dir(c.file.Path)
}

// fileModules are the languages where a file sees only what it imports from others.
var fileModules = map[string]bool{"typescript": true, "javascript": true, "python": true, "rust": true}

// importsFile reports whether an import may refer to a file, by the last part of its name.
func importsFile(module, file string) bool {
	stem := func(name string) string {
		name = path.Base(name)
		return strings.TrimSuffix(name, path.Ext(name))
	}
	last := strings.TrimSuffix(path.Base(strings.ReplaceAll(module, "::", "/")), ".js")
	last = last[strings.LastIndexByte(last, '.')+1:]
	return last == stem(file) || last == path.Base(path.Dir(file)) && (stem(file) == "index" || stem(file) == "__init__" || stem(file) == "mod")
}
