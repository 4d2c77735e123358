package settings

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// reader is a function, or a table of variables, that gives the value of a setting.
type reader struct {
	languages []string
	of        string // what is called or indexed; with "*" before it, the end of that
	name      int    // the argument with the name
	imports   string // that the file must have; "" for none
	names     string // of the argument with the default, if it is not the one after the name
	must      bool   // it fails if there is neither a value nor a default
	key       bool   // it reads configuration files
	factories bool   // what has no name in capitals is a key of what factories make
}

var (
	ecma   = []string{"javascript", "typescript", "tsx"}
	python = []string{"python"}
	ruby   = []string{"ruby"}
	php    = []string{"php"}
	rust   = []string{"rust"}
	csharp = []string{"csharp"}
	jvm    = []string{"java", "kotlin", "scala"}
)

// readers are the functions that read settings. What is only indexed has no default.
var readers = []reader{
	{languages: []string{"go"}, of: "os.Getenv"},
	{languages: []string{"go"}, of: "os.LookupEnv"},
	{languages: python, of: "os.environ", must: true},
	{languages: python, of: "environ", imports: "os.environ", must: true},
	{languages: python, of: "os.environ.get"},
	{languages: python, of: "environ.get", imports: "os.environ"},
	{languages: python, of: "os.getenv"},
	{languages: python, of: "getenv", imports: "os.getenv"},
	{languages: python, of: "config", imports: "decouple", names: "default", must: true},
	{languages: python, of: "env", imports: "environ", names: "default", must: true},
	{languages: python, of: "env.*", imports: "environ", names: "default", must: true},
	{languages: ecma, of: "process.env"},
	{languages: ecma, of: "import.meta.env"},
	{languages: ecma, of: "Bun.env"},
	{languages: ecma, of: "Deno.env.get"},
	{languages: ecma, of: "*onfig.get", imports: "config", must: true, key: true},
	{languages: ecma, of: "*onfigService.get", imports: nestConfig, factories: true},
	{languages: ecma, of: "*onfigService.getOrThrow", imports: nestConfig, must: true, factories: true},
	{languages: ecma, of: "*config.get", imports: nestConfig, factories: true},
	{languages: ecma, of: "*config.getOrThrow", imports: nestConfig, must: true, factories: true},
	{languages: jvm, of: "System.getenv"},
	{languages: []string{"scala"}, of: "sys.env.getOrElse"},
	{languages: csharp, of: "Environment.GetEnvironmentVariable"},
	{languages: csharp, of: "*onfiguration", key: true},
	{languages: csharp, of: "*config", key: true},
	{languages: csharp, of: "*onfiguration.GetValue", key: true},
	{languages: csharp, of: "*config.GetValue", key: true},
	{languages: rust, of: "env.var"},
	{languages: rust, of: "std.env.var"},
	{languages: rust, of: "env!", must: true},
	{languages: ruby, of: "ENV"},
	{languages: ruby, of: "ENV.fetch", names: code.BlockArgument, must: true},
	{languages: php, of: "env"},
	{languages: php, of: "getenv"},
	{languages: php, of: "$_ENV"},
	{languages: php, of: "$_SERVER", imports: "-"},
}

// is reports whether a text is what the reader is called by.
func (r *reader) is(of string) bool {
	end, ending := strings.CutPrefix(r.of, "*")
	start, begins := strings.CutSuffix(r.of, "*")
	switch {
	case ending:
		return len(of) >= len(end) && strings.EqualFold(of[len(of)-len(end):], end)
	case begins:
		return strings.HasPrefix(of, start)
	}
	return of == r.of
}

// in reports whether a file may use the reader.
func (r *reader) in(f *code.File) bool {
	return slices.Contains(r.languages, f.Language) && (r.imports == "" || Imports(f, r.imports))
}

// use is a place at which a setting is read.
type use struct {
	Setting
	file  *code.File
	param int // of the function around that is its name; -1 for none
	from  int // of the function around that is its default; -1 for none
}

// uses collects what code reads by functions and tables.
type uses struct {
	Source
	known   map[Place]bool
	helpers map[[2]string][]helper // by language and name
	readers map[*code.File][]*reader
	out     []use
}

// readersIn returns the readers that a file may use.
func (u *uses) readersIn(f *code.File) []*reader {
	list, known := u.readers[f]
	if !known {
		for i := range readers {
			if readers[i].in(f) {
				list = append(list, &readers[i])
			}
		}
		u.readers[f] = list
	}
	return list
}

// helper is a function of the project that reads the variable that it is given.
type helper struct {
	file        *code.File
	owner       string // the type of which it is a method; "" for none
	name, value int    // parameters; value is -1 if it has no default
	use         use
}

// readUses reads the settings that any code reads.
func readUses(s Source) Declared {
	u := &uses{Source: s, known: map[Place]bool{}, helpers: map[[2]string][]helper{}, readers: map[*code.File][]*reader{}}
	u.findHelpers()
	all := slices.Concat(ecma, python, ruby, php, rust, csharp, jvm, []string{"go"})
	u.given()
	for _, f := range u.Files {
		whole := !slices.Contains(all, f.Language) || !u.mayRead(f) || u.eachOf(f, func(at site) {
			if r, ok := u.read(at); ok {
				u.add(r)
			}
		})
		if !whole {
			break
		}
	}
	var out Declared
	must := map[string]bool{}
	for i := range u.out {
		name := u.out[i].Name
		is, known := must[name]
		must[name] = (is || !known) && u.out[i].Required
	}
	made := u.factories()
	for i := range u.out {
		r := &u.out[i].Setting
		r.Required = must[r.Name]
		if from := made[r.Name]; r.Key && from != nil {
			r.made(from)
		}
		out.add(r)
	}
	return out
}

// mayRead reports whether a file may read settings. In Go they are read by calls alone.
func (u *uses) mayRead(f *code.File) bool {
	return f.Language != "go" || calls(f, func(c *code.Call) bool {
		return c.Name == "Getenv" || c.Name == "LookupEnv" || len(u.helpers[[2]string{"go", c.Name}]) > 0
	})
}

// add adds what is read at a place, once.
func (u *uses) add(r use) {
	if at := r.At[0]; r.param < 0 && r.Name != "" && !u.known[at] {
		u.known[at] = true
		u.out = append(u.out, r)
	}
}

// read returns what a value reads; false if it reads no setting.
func (u *uses) read(at site) (use, bool) {
	r, ok := u.direct(at)
	if !ok {
		return use{}, false
	}
	u.context(at, &r)
	r.Required = r.Required && !at.guarded
	return r, true
}

// direct returns what a value itself reads.
func (u *uses) direct(at site) (use, bool) {
	v := at.value
	of, name, ok := indexed(at.file, v)
	if v.Kind == code.ValueCall {
		of, ok = dotted(v.Text), true
		if h := u.helperOf(at.file, of); h != nil {
			return u.helped(at, h)
		}
	}
	if !ok {
		return use{}, false
	}
	list := u.readersIn(at.file)
	i := slices.IndexFunc(list, func(r *reader) bool { return r.is(of) })
	if i < 0 {
		return use{}, false
	}
	rule := list[i]
	out := use{file: at.file, param: -1, from: -1}
	out.In, out.Key, out.Required = at.in, rule.key, rule.must
	called := v.Kind == code.ValueCall && len(v.Args) > 0
	if name == nil {
		name = v.Arg(rule.name)
		u.otherwise(at, fallback(rule, v), &out)
		if cast := v.Named("cast"); cast != nil && slices.Contains(python, at.file.Language) {
			out.Type = Written(cast)
		}
	}
	if text, ok := literal(name); ok && rule.factories && strings.ToUpper(text) != text {
		out.Key = true
	}
	return out.named(at, name, called)
}

// indexed returns the table that a value is an element of, and the name of that; false for other values.
func indexed(f *code.File, v *code.Value) (of string, name *code.Value, ok bool) {
	switch {
	case v.Kind == code.ValueName && slices.Contains(ecma, f.Language):
		before, last := split(v.Text)
		return before, &code.Value{Kind: code.ValueString, Text: last}, true
	case v.Kind != code.ValueOther || len(v.Args) != 2:
		return "", nil, false
	case v.Args[0].Kind == code.ValueName && (v.Text == "" || strings.HasSuffix(v.Text, "]")):
		return dotted(v.Args[0].Text), &v.Args[1], true
	}
	before, _, ok := strings.Cut(v.Text, "?.[") // process?.env?.[name]
	return dotted(before), &v.Args[1], ok && strings.HasSuffix(v.Text, "]")
}

// named sets the name of what is read; false if it is neither constant nor a parameter.
func (r *use) named(at site, name *code.Value, called bool) (use, bool) {
	text, ok := literal(name)
	switch {
	case ok && isName(text) && (!r.Key || called || strings.Contains(text, ":") || strings.Contains(text, ".") || at.file.Language == "csharp"):
		r.Name = text
		r.At = []Place{{at.file.Path, at.value.Line, text}}
		return *r, true
	case name != nil && name.Kind == code.ValueName:
		r.Name, r.param = "", 0
		r.Help = name.Text // the parameter, until it is known
		r.At = []Place{{at.file.Path, at.value.Line, ""}}
		return *r, true
	}
	return use{}, false
}

// isName reports whether a text can be the name of a setting.
func isName(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t/\\$%{}()<>\"'`,;*=")
}

// fallback returns the argument of a call that is the default; nil for none.
func fallback(rule *reader, v *code.Value) *code.Value {
	if rule.names != "" {
		if named := v.Named(rule.names); named != nil {
			return named
		}
	}
	out := v.Arg(rule.name + 1)
	if out != nil && (out.Kind == code.ValueObject || out.Kind == code.ValueFunction) {
		return nil
	}
	return out
}

// otherwise takes over a default, which may be another setting.
func (u *uses) otherwise(at site, v *code.Value, r *use) {
	if v != nil && !u.also(at, v, r) {
		r.value(v)
	}
}

// also reads the setting that is read if another one is missing; false if a value reads none.
func (u *uses) also(at site, v *code.Value, r *use) bool {
	other, ok := u.read(site{file: at.file, in: at.in, value: v})
	if !ok || other.param >= 0 {
		return false
	}
	r.Also = append(append(r.Also, other.Name), other.Also...)
	r.Default, r.Required = or(r.Default, other.Default), other.Required
	return true
}

// value takes over a default.
func (r *use) value(v *code.Value) {
	if v == nil {
		return
	}
	r.Default, r.Required = Written(v), false
}

// context takes over what the values around a read make of it: a default, and the type to which it is converted.
func (u *uses) context(at site, r *use) {
	inner := at.value
	for _, v := range slices.Backward(at.around) {
		switch {
		case v.Kind == code.ValueCall && len(v.Args) > 0 && (inner == &v.Args[0] || inner == v.Arg(0)):
			if !u.converted(v, r) {
				return
			}
		case v.Kind == code.ValueOther && len(v.Args) > 0 && inner == &v.Args[0]:
			if !u.chosen(at, v, r) {
				return
			}
		default:
			return
		}
		inner = v
	}
}

// conversions are the functions that convert texts, with the type that results.
var conversions = map[string]string{
	"parseInt": "integer", "Number": "number", "parseFloat": "number", "Boolean": "boolean", "int": "int", "float": "float", "bool": "bool", "Integer": "integer", "Float": "float",
	"Integer.parseInt": "int", "Integer.valueOf": "int", "Long.parseLong": "long", "Boolean.parseBoolean": "boolean", "int.Parse": "int", "bool.Parse": "bool",
	"strconv.Atoi": "int", "strconv.ParseBool": "bool", "time.ParseDuration": "duration", "Number.parseInt": "integer", "Path": "path", "pathlib.Path": "path",
}

// fallbacks are the methods and functions that replace a missing value by what they are given.
var fallbacks = []string{"unwrap_or", "getOrElse", "orElse", "GetValueOrDefault", "presence"}

// converted takes over what a call makes of its first argument; false if it may be anything.
func (u *uses) converted(v *code.Value, r *use) bool {
	name := dotted(v.Text)
	last := last(name)
	switch kind := conversions[name]; {
	case kind != "":
		r.Type = or(r.Type, kind)
	case slices.Contains(fallbacks, last) && len(v.Args) > 1:
		r.Required = false
		r.Default = Written(&v.Args[1])
	case last == "unwrap_or_else" && len(v.Args) > 1:
		r.Required = false
		r.Default = u.returned(r.file, &v.Args[1])
	case last == "expect" || last == "unwrap":
		r.Required = r.Default == ""
		return false
	case name == "cmp.Or" && r.file.Language == "go" && len(v.Args) == 2:
		r.value(&v.Args[1])
	default:
		return slices.Contains(keeps, last)
	}
	return true
}

// keeps are the methods that give a value on in another form.
var keeps = []string{"ok", "to_i", "to_s", "to_f", "trim", "presence", "toString", "toLowerCase"}

// returned returns the value that a closure without parameters returns, as written.
func (u *uses) returned(f *code.File, v *code.Value) string {
	b := u.Bodies(f)
	for i := range b.Functions {
		body := &b.Functions[i]
		if v.Kind != code.ValueFunction || v.Text != itoa(body.At) || len(body.Stmts) != 1 || body.Stmts[0].Op != code.StmtReturn {
			continue
		}
		return Written(body.Stmts[0].Value)
	}
	return ""
}

// operator returns the operator after what is read; "" if it is not known.
func (r *use) operator(v *code.Value) string {
	if v.Text == code.CondFirst {
		return v.Text
	}
	_, rest, ok := strings.Cut(v.Text, or(r.Name, r.Help))
	if !ok {
		return ""
	}
	for _, begin := range []string{" ", ") ", "] ", "\") "} {
		if strings.HasPrefix(rest, begin+"?? ") || begin != " " && strings.Contains(rest, begin+"?? ") || begin == "\") " && strings.Contains(rest, begin+"?: ") {
			return "??"
		}
	}
	op, _, _ := strings.Cut(strings.TrimLeft(rest, "\"'`)]!? "), " ")
	return op
}

// replaced takes over what is used instead of a missing value; false if that is an error.
func (u *uses) replaced(at site, other *code.Value, r *use) bool {
	if other.Kind == code.ValueOther && other.Text == "" && len(other.Args) > 0 { // it throws
		r.Required = r.Default == ""
		return false
	}
	if u.also(at, other, r) || r.Default != "" {
		return true
	}
	_, text := literal(other)
	if text || slices.Contains([]code.ValueKind{code.ValueNumber, code.ValueName, code.ValueCall}, other.Kind) {
		r.value(other)
	}
	return true
}

// chosen takes over what an operator makes of its first operand; false if that is the end of what is known.
func (u *uses) chosen(at site, v *code.Value, r *use) bool {
	if len(v.Args) != 2 {
		return len(v.Args) == 1 // a mark: value!, value?
	}
	other := &v.Args[1]
	switch r.operator(v) {
	case "||", "??", "or", "?:", "//":
		return u.replaced(at, other, r)
	case "==", "===", "!=", "!==":
		if text, ok := literal(other); ok && (strings.EqualFold(text, "true") || text == "1" || strings.EqualFold(text, "false") || text == "0") {
			r.Type = "boolean"
		}
	}
	return false
}
