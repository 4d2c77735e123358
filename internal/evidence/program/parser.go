package program

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// node is a command that is being read.
type node struct {
	Command
	name     string
	parent   *node
	raws     []raw
	applied  []application
	marks    map[string]func(f *Param) // what is said of flags after their declaration, by name
	implied  func(n *node) []Param     // the flags that the library adds; nil for none
	template bool                      // a parameter of a function, which callers give a command
	index    int                       // of the parameter
}

// raw is a flag or an argument that is not evaluated yet: the parameters of functions around it are known from their callers.
type raw struct {
	read func(at ctx) []Param
	at   ctx
}

// application is a call of a function with a command.
type application struct {
	template *node
	at       ctx
	call     *code.CallUse
	params   []code.Param
}

// holder identifies a variable: of a function, a file ("" for in), or a package (a folder for file, "" for in).
type holder struct{ file, in, name string }

// parser reads commands.
type parser struct {
	source  Source
	scanned map[string]bool
	files   map[string]*code.File
	nodes   []*node
	held    map[holder]*node
	made    map[holder]*node // the first command that a function creates
	late    []func()         // run when all files are read
	params  map[string]map[string][]code.Param
}

func newParser(s Source) *parser {
	p := &parser{
		source: s, scanned: map[string]bool{}, files: map[string]*code.File{}, held: map[holder]*node{}, made: map[holder]*node{},
		params: map[string]map[string][]code.Param{},
	}
	for _, f := range s.Files {
		p.files[f.Path] = f
	}
	return p
}

// add adds a command.
func (p *parser) add(f *code.File, in, name string, line int, text string) *node {
	n := &node{name: name, marks: map[string]func(*Param){}}
	n.In, n.At = in, Place{f.Path, line, text}
	p.nodes = append(p.nodes, n)
	return n
}

// hold records the variable of a command: c.To, and the function around.
func (p *parser) hold(f *code.File, c *code.CallUse, n *node) {
	if c.In != "" && c.In != c.To {
		if key := (holder{f.Path, c.In, ""}); p.made[key] == nil {
			p.made[key] = n
		}
	}
	p.holdAs(f, c.In, c.To, n)
}

func (p *parser) holdAs(f *code.File, in, name string, n *node) {
	if name == "" {
		return
	}
	if in == "" || in == name {
		p.held[holder{f.Path, "", name}] = n
		if key := (holder{path.Dir(f.Path), "", name}); p.held[key] == nil {
			p.held[key] = n
		}
		return
	}
	p.held[holder{f.Path, in, name}] = n
	if owner, member := fieldOf(f, in, name); member != "" {
		p.held[holder{path.Dir(f.Path), owner, "." + member}] = n
	}
}

// fieldOf returns the type and the name of a receiver's field; "" for other names.
func fieldOf(f *code.File, in, name string) (owner, member string) {
	before, member, ok := strings.Cut(name, ".")
	i := strings.LastIndexByte(in, '.')
	if !ok || strings.Contains(member, ".") || i < 0 || before != "self" && before != "this" && f.Language != "go" {
		return "", ""
	}
	return in[:i], member
}

// lookup returns the command that a variable holds: of the function, of the file, of the package, or a parameter. It returns nil
// for others.
func (p *parser) lookup(f *code.File, in, name string) *node {
	if name == "" {
		return nil
	}
	keys := []holder{{f.Path, in, name}}
	if owner, member := fieldOf(f, in, name); member != "" {
		keys = append(keys, holder{path.Dir(f.Path), owner, "." + member})
	}
	for _, key := range append(keys, holder{f.Path, "", name}, holder{path.Dir(f.Path), "", name}) {
		if n := p.held[key]; n != nil {
			return n
		}
	}
	for i, param := range p.paramsOf(f, in) {
		if param.Name == name && mayTakeFlags(f, &param) {
			n := p.add(f, in, "", 0, "")
			n.template, n.index = true, i
			p.held[holder{f.Path, in, name}] = n
			return n
		}
	}
	return nil
}

// mayTakeFlags reports whether a parameter may be a command or a set of flags.
func mayTakeFlags(f *code.File, p *code.Param) bool {
	if f.Language != "go" {
		return true
	}
	_, name := split(p.Type)
	return strings.HasSuffix(name, "FlagSet") || name == "Command"
}

// paramsOf returns the parameters of a function of a file, without the receiver.
func (p *parser) paramsOf(f *code.File, in string) []code.Param {
	known := p.params[f.Path]
	if known == nil {
		known = map[string][]code.Param{}
		p.params[f.Path] = known
		var walk func(owner string, list []code.Symbol)
		walk = func(owner string, list []code.Symbol) {
			for i := range list {
				name := strings.TrimPrefix(owner+"."+list[i].Name, ".")
				params := list[i].Params
				if len(params) > 0 && (params[0].Name == "self" || params[0].Name == "cls") {
					params = params[1:]
				}
				known[name] = params
				walk(name, list[i].Members)
			}
		}
		walk("", f.Symbols)
	}
	return known[in]
}

// declare adds a flag or argument to a command.
func (p *parser) declare(n *node, at ctx, read func(at ctx) []Param) {
	n.raws = append(n.raws, raw{read, at})
}

// expand evaluates the flags of a command into that of to: its own and those that functions add to it.
func (p *parser) expand(n *node, env map[string]bound, to *node, level int) {
	if level > maxDepth {
		return
	}
	for _, r := range n.raws {
		at := r.at
		at.env = env
		for _, f := range r.read(at) {
			if f.Name == "" {
				continue
			}
			if strings.HasPrefix(f.Name, "-") {
				to.Flags = append(to.Flags, f)
			} else {
				to.Args = append(to.Args, f)
			}
		}
	}
	for _, a := range n.applied {
		at := a.at
		at.env = env
		p.expand(a.template, bind(a.params, a.call, at), to, level+1)
	}
	for name, set := range n.marks {
		if to != n {
			to.marks[name] = set
		}
	}
}

// bind binds parameters to the arguments of a call.
func bind(params []code.Param, c *code.CallUse, at ctx) map[string]bound {
	env := map[string]bound{}
	args := argsOf(at.file, c)
	for i, param := range params {
		if v := args.Named(param.Name); v != nil {
			env[param.Name] = bound{*v, at}
		} else if v := args.Arg(i); v != nil {
			env[param.Name] = bound{*v, at}
		}
	}
	return env
}

// follow connects the calls of functions that add flags to their arguments, and commands to those above.
func (p *parser) follow() {
	for i := 0; i < len(p.late); i++ { // grows
		p.late[i]()
	}
}

// gives is a call that gives a command to a function.
func (p *parser) gives(f *code.File, c *code.CallUse, n *node, arg int) {
	p.late = append(p.late, func() {
		to, path := p.callee(f, c)
		if to == nil {
			return
		}
		params := p.paramsOf(to, path)
		if arg >= len(params) {
			return
		}
		if t := p.lookup(to, path, params[arg].Name); t != nil && t != n {
			n.applied = append(n.applied, application{t, ctx{p: p, file: f, in: c.In}, c, params})
		}
	})
}

// callee returns the file and the name of the function that a call runs, and reads the commands of that file; nil if it is not
// known.
func (p *parser) callee(f *code.File, c *code.CallUse) (*code.File, string) {
	_, name := split(c.Value.Text)
	var to *resolve.Node
	if p.source.Links != nil {
		for _, u := range p.source.Links.Within(f.Path, c.Line, max(c.Line, c.Value.Line)) {
			if u.Type == codegraph.Calls && u.Name == name {
				to = u.To
				break
			}
		}
	}
	if to == nil {
		return p.sibling(f, name)
	}
	file := p.files[to.File]
	if file == nil && p.source.Other != nil {
		file = p.source.Other(to.File)
		p.files[to.File] = file
	}
	if file == nil || file.Bodies == nil {
		return nil, ""
	}
	p.scan(file)
	return file, to.Outer().Path()
}

// sibling returns a function of the file, or else of the module, by its name.
func (p *parser) sibling(f *code.File, name string) (*code.File, string) {
	if p.paramsOf(f, name) != nil {
		return f, name
	}
	return nil, ""
}

// result returns the command that a call returns; nil if it is not known.
func (p *parser) result(f *code.File, c *code.CallUse) *node {
	for range maxDepth {
		to, in := p.callee(f, c)
		if to == nil {
			return nil
		}
		if n := p.made[holder{to.Path, in, ""}]; n != nil {
			return n
		}
		next := slices.IndexFunc(to.Bodies.Calls, func(u code.CallUse) bool { return u.In == in && u.Within == 0 })
		if next < 0 {
			return nil
		}
		f, c = to, &to.Bodies.Calls[next]
	}
	return nil
}

// below makes a command one below another.
func (p *parser) below(parent, child *node) {
	if child == nil || parent == nil || child == parent || child.parent != nil {
		return
	}
	for n := parent; n != nil; n = n.parent {
		if n == child {
			return
		}
	}
	child.parent = parent
}

// split returns the callee without its last name, and that name.
func split(callee string) (before, name string) {
	i := max(strings.LastIndexByte(callee, '.'), strings.LastIndexByte(callee, ':'))
	return strings.TrimRight(callee[:max(0, i)], ".:?"), callee[i+1:]
}

// imports reports whether a file imports a module with one of the prefixes.
func imports(f *code.File, prefixes ...string) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool {
			return i.Module == p || strings.HasPrefix(i.Module, p+"/") || strings.HasPrefix(i.Module, p+".") || strings.HasPrefix(i.Module, p+"::")
		})
	})
}
