package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// sentinelErrors finds the errors that callers can tell apart: variables of packages, exception classes, and the members
// of error enums.
var sentinelErrors = Rule{
	Kind: Sentinel,
	find: func(m *Module, found func(Claim)) {
		r := m.readErrors()
		var list []Claim
		m.symbols(func(name string, s *code.Symbol) {
			switch {
			case !m.own(s.File):
			case m.sentinels()[[2]string{path.Dir(s.File), name}] == s:
				list = append(list, r.variable(s))
			case isErrorClass(s) && (s.Exported || len(r.made[name]) > 0):
				c := Claim{Subject: name, Values: r.ways(name, Thrown), Exits: r.made[name], At: []Place{symbolPlace(s)}}
				if len(s.Bases) > 0 {
					c.Of = s.Bases[0]
				}
				list = append(list, private(c, s))
			case isErrorEnum(s):
				list = append(list, r.members(name, s)...)
			}
		})
		byPlace(list)
		for _, c := range list {
			found(c)
		}
	},
}

// sentinelMakers are the functions that make an error from a text.
var sentinelMakers = []string{"errors.New(", "fmt.Errorf(", "errors.Errorf(", "xerrors.New(", "xerrors.Errorf("}

// sentinels returns the package variables that are made as errors, by folder and name.
func (m *Module) sentinels() map[[2]string]*code.Symbol {
	if m.errors == nil {
		m.errors = map[[2]string]*code.Symbol{}
		m.symbols(func(name string, s *code.Symbol) {
			if s.Kind == code.Variable && m.own(s.File) && !strings.Contains(name, ".") && isSentinel(s) {
				m.errors[[2]string{path.Dir(s.File), name}] = s
			}
		})
	}
	return m.errors
}

// sentinelNamed returns the variable that a name in a file means: one of its folder, or of the folder that qualifies it; nil
// if it is not a sentinel, or not certain.
func (m *Module) sentinelNamed(f *code.File, name string) *code.Symbol {
	if f.Language != "go" {
		return nil
	}
	pkg, last := cutLast(name)
	if pkg == "" {
		return m.sentinels()[[2]string{path.Dir(f.Path), name}]
	}
	var found *code.Symbol
	for at, s := range m.sentinels() {
		if at[1] == last && path.Base(at[0]) == pkg {
			if found != nil {
				return nil
			}
			found = s
		}
	}
	return found
}

// errorKey returns the key of an error that a file names: for a sentinel with its folder, for others the name.
func (m *Module) errorKey(f *code.File, name string) string {
	if s := m.sentinelNamed(f, name); s != nil {
		return sentinelKey(s)
	}
	return strings.ReplaceAll(name, "::", ".")
}

func sentinelKey(s *code.Symbol) string { return path.Dir(s.File) + " " + s.Name }

// isSentinel reports whether a variable is made as an error.
func isSentinel(s *code.Symbol) bool {
	return slices.ContainsFunc(sentinelMakers, func(by string) bool { return strings.HasPrefix(s.Value, by) }) ||
		s.Returns == "error" && s.Value != "" && s.Value != "nil"
}

// private marks the claim about an error that is not exported.
func private(c Claim, s *code.Symbol) Claim {
	if !s.Exported {
		c.Role = Hidden
	}
	return c
}

// isErrorClass reports whether a class is an exception, by its name or that of its base.
func isErrorClass(s *code.Symbol) bool {
	if s.Kind != code.Class && s.Kind != code.Object {
		return false
	}
	is := func(name string) bool {
		name, _, _ = strings.Cut(name, "(")
		name = lastName(name)
		return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Throwable") || strings.HasSuffix(name, "Warning")
	}
	return slices.ContainsFunc(s.Bases, is)
}

// isErrorEnum reports whether the members of an enumeration are errors.
func isErrorEnum(s *code.Symbol) bool {
	if s.Kind != code.Enum || len(s.Members) == 0 || !strings.HasSuffix(s.Name, "Error") && !strings.HasSuffix(s.Name, "ErrorKind") {
		return false
	}
	return slices.ContainsFunc(slices.Concat(s.Bases, s.Decorators), func(d string) bool { return strings.Contains(d, "Error") || strings.HasPrefix(d, "#[derive") })
}

// errorUses are the exits of a module by the errors that they have.
type errorUses struct {
	*Module
	made     map[string][]string // ids of exits, by the error
	returned map[string]bool
	inside   map[string][]string // how an error is in others: "wrapped ParseError.Err"
	named    map[string]bool     // identifiers in Go files
}

func (m *Module) readErrors() *errorUses {
	r := &errorUses{Module: m, made: map[string][]string{}, returned: map[string]bool{}, inside: map[string][]string{}, named: map[string]bool{}}
	known := map[string]bool{}
	for i := range m.claimed {
		if c := &m.claimed[i]; c.Kind == Exit {
			known[c.ID()] = true
		}
	}
	unwrapped := m.unwrapped()
	m.exits(func(f *code.File, x *paths.Exit) {
		outcome := m.outcomeOf(f, x)
		c := Claim{Kind: Exit, Subject: x.In, Outcome: &outcome}
		id := c.ID()
		add := func(key string) {
			if known[id] && !slices.Contains(r.made[key], id) {
				r.made[key] = append(r.made[key], id)
			}
		}
		key := m.errorKey(f, x.Error)
		r.returned[key] = true
		add(key)
		for _, name := range outcome.Wraps {
			key := m.errorKey(f, name)
			add(key)
			for _, way := range holds(x.Value, name, unwrapped) {
				if !slices.Contains(r.inside[key], way) {
					r.inside[key] = append(r.inside[key], way)
				}
			}
		}
	})
	m.bodies(func(_ *code.File, b *code.Bodies) {
		for _, name := range b.Named {
			r.named[name] = true
		}
	})
	return r
}

// holds returns how an error value has another: in a field that Unwrap returns, in another field, or in a text with %w.
func holds(v *code.Value, name string, unwrapped map[string]bool) []string {
	var out []string
	for i := range v.Args {
		a := &v.Args[i]
		if a.Kind != code.ValueName || a.Text != name {
			continue
		}
		switch field := baseType(v.Text) + "." + a.Name; {
		case v.Kind == code.ValueCall && strings.Contains(v.Arg(0).Text, "%w") && strings.HasSuffix(v.Text, "Errorf"):
			out = append(out, Wrapped+" %w")
		case v.Kind == code.ValueCall && v.Text == "errors.Join":
			out = append(out, Wrapped+" errors.Join")
		case v.Kind == code.ValueObject && a.Name != "" && unwrapped[field]:
			out = append(out, Wrapped+" "+field)
		case v.Kind == code.ValueObject && a.Name != "":
			out = append(out, Held+" "+field)
		}
	}
	return out
}

// unwrapped returns the fields that the Unwrap methods of the module's types return: "ParseError.Err".
func (m *Module) unwrapped() map[string]bool {
	out := map[string]bool{}
	m.bodies(func(_ *code.File, b *code.Bodies) {
		for i := range b.Functions {
			f := &b.Functions[i]
			owner, last := cutLast(f.In)
			if last != "Unwrap" || f.Use.Kind != "" || len(f.Stmts) != 1 || f.Stmts[0].Op != code.StmtReturn && f.Stmts[0].Op != code.StmtError {
				continue
			}
			v := f.Stmts[0].Value
			if f.Stmts[0].Exit != nil {
				v = &f.Stmts[0].Exit.Value
			}
			if _, field, ok := strings.Cut(v.Text, "."); ok && v.Kind == code.ValueName {
				out[owner+"."+field] = true
			}
		}
	})
	return out
}

// variable returns the claim of a package variable.
func (r *errorUses) variable(s *code.Symbol) Claim {
	key := sentinelKey(s)
	c := Claim{Subject: s.Name, Values: r.ways(key, Returned), Exits: r.made[key], At: []Place{symbolPlace(s)}}
	_, args, _ := strings.Cut(s.Value, "(")
	if text := strings.TrimSuffix(args, ")"); len(text) > 1 && code.QuoteEnd(text, 0) == len(text)-1 {
		c.Text = text[1 : len(text)-1]
	}
	if len(c.Values) == 0 && strings.EqualFold(s.Name[:min(3, len(s.Name))], "err") && !r.named[s.Name] && len(r.returned) > 0 && !r.isPart() {
		c.Values = []string{Unused}
	}
	return private(c, s)
}

// isPart reports whether the module is one file of several that its language compiles together.
func (m *Module) isPart() bool { return len(m.All) == 1 && m.All[0].Path == m.Merged.FilePath }

// ways returns how an error reaches callers; as is the word for the error itself.
func (r *errorUses) ways(name, as string) []string {
	var out []string
	if r.returned[name] {
		out = append(out, as)
	}
	return append(out, r.inside[name]...)
}

// members returns the claims of the members of an error enum.
func (r *errorUses) members(enum string, s *code.Symbol) []Claim {
	var out []Claim
	for i := range s.Members {
		v := &s.Members[i]
		if v.Kind != code.EnumMember {
			continue
		}
		name := enum + "." + v.Name
		c := Claim{Subject: name, Of: enum, Values: r.ways(name, Returned), Exits: r.made[name], At: []Place{symbolPlace(v)}}
		for _, d := range v.Decorators {
			if list := quotedIn(d); strings.HasPrefix(d, "#[error(") && len(list) > 0 {
				c.Text = list[0]
			}
		}
		out = append(out, private(c, s))
	}
	return out
}
