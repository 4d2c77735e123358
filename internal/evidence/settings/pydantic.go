package settings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// The versions of pydantic whose rules differ.
const (
	anyVersion  = iota // the file imports both
	oneVersion         // env= of a field names the variable, Optional without a default is None
	twoVersions        // an alias names the variable, what has no default is required
)

// pydantic reads the classes below BaseSettings.
type pydantic struct {
	Source
	classes map[[2]string]*settingsClass // by file and qualified name
	made    map[string]*passed           // by the name of the class
}

// passed is what calls of a class pass to it, which goes before the environment.
type passed struct {
	names  map[string]bool
	spread bool // names that are not known
}

// settingsClass is a class of a Python file.
type settingsClass struct {
	name     string
	symbol   *code.Symbol
	file     *code.File
	values   map[string]*code.Value // of its fields and those of its Config, by qualified name
	read     bool
	settings bool // it is below BaseSettings, and what its variables are is known
	version  int
	depth    int // the number of classes between it and BaseSettings
	config   pydanticConfig
	fields   []pydanticField // with those of its base classes
}

// pydanticConfig is how the variables of a class are called, and where they are read from.
type pydanticConfig struct {
	prefix    string
	sensitive bool // names are as written
	files     []string
	at        Place // of files
}

// pydanticField is a field of a class.
type pydanticField struct {
	Setting
	field string
	names []string // the variables, if the field names them
}

func readPydantic(s Source) Declared {
	p := &pydantic{Source: s, classes: map[[2]string]*settingsClass{}, made: map[string]*passed{}}
	var list []*settingsClass
	for _, f := range s.Files {
		if b := s.Bodies(f); b != nil && f.Language == "python" {
			list = p.collect(list, f, b, "", f.Symbols)
			p.calls(b)
		}
	}
	var out Declared
	for _, c := range list {
		p.read(c)
	}
	list = slices.DeleteFunc(list, func(c *settingsClass) bool { return !c.settings })
	slices.SortStableFunc(list, func(a, b *settingsClass) int { return a.depth - b.depth })
	for _, c := range list {
		if made := p.made[last(c.name)]; made != nil {
			c.pass(made)
		}
		c.declare(&out)
	}
	return out
}

// calls collects what calls pass to what may be a class.
func (p *pydantic) calls(b *code.Bodies) {
	for i := range b.Calls {
		v := &b.Calls[i].Value
		name := last(v.Text)
		if v.Kind != code.ValueCall || len(v.Args) == 0 {
			continue
		}
		if p.made[name] == nil {
			p.made[name] = &passed{names: map[string]bool{}}
		}
		for j := range v.Args {
			p.made[name].names[v.Args[j].Name] = true
			p.made[name].spread = p.made[name].spread || v.Args[j].Name == ""
		}
	}
}

// pass leaves out the fields that a call sets. What an unknown name may set is not said to be required.
func (c *settingsClass) pass(made *passed) {
	c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f pydanticField) bool {
		return made.names[f.field] || made.names["_env_prefix"] || made.names["_case_sensitive"]
	})
	for i := range c.fields {
		c.fields[i].Required = c.fields[i].Required && !made.spread
	}
}

// collect adds the classes among symbols and in them.
func (p *pydantic) collect(list []*settingsClass, f *code.File, b *code.Bodies, owner string, symbols []code.Symbol) []*settingsClass {
	for i := range symbols {
		s := &symbols[i]
		if s.Kind != code.Class {
			continue
		}
		c := &settingsClass{name: strings.TrimPrefix(owner+"."+s.Name, "."), symbol: s, file: f, values: map[string]*code.Value{}}
		for j := range b.Bindings {
			if name, ok := strings.CutPrefix(b.Bindings[j].In, c.name+"."); ok {
				c.values[name] = &b.Bindings[j].Value
			}
		}
		p.classes[[2]string{f.Path, c.name}] = c
		list = p.collect(append(list, c), f, b, c.name, s.Members)
	}
	return list
}

// read reads a class after its base classes.
func (p *pydantic) read(c *settingsClass) {
	if c.read {
		return
	}
	c.read = true
	for _, base := range slices.Backward(p.bases(c)) {
		p.read(base)
		if base.settings {
			c.inherit(base)
		}
	}
	for _, base := range c.symbol.Bases {
		if version, ok := baseSettings(c.file, base); ok {
			c.settings, c.version = true, version
		}
	}
	if c.settings = c.settings && c.configure(); c.settings {
		c.declared()
	}
}

// bases returns the base classes in the files, in their order.
func (p *pydantic) bases(c *settingsClass) []*settingsClass {
	n := p.Links.Find(c.file.Path, c.name, c.symbol.StartLine)
	if n == nil {
		return nil
	}
	var out []*settingsClass
	for _, u := range p.Links.Uses(n) {
		if u.Type != codegraph.Inherits || u.To == nil {
			continue
		}
		if base := p.classes[[2]string{u.To.File, u.To.Path()}]; base != nil && base != c {
			out = append(out, base)
		}
	}
	return out
}

// inherit takes over what a base class has.
func (c *settingsClass) inherit(base *settingsClass) {
	c.settings, c.version, c.depth = true, base.version, max(c.depth, base.depth+1)
	c.config.prefix = cmp.Or(base.config.prefix, c.config.prefix)
	c.config.sensitive = base.config.sensitive || c.config.sensitive
	if base.config.files != nil {
		c.config.files, c.config.at = base.config.files, base.config.at
	}
	for _, f := range base.fields {
		c.set(f)
	}
}

// set sets a field that the class may have already.
func (c *settingsClass) set(f pydanticField) {
	if i := slices.IndexFunc(c.fields, func(k pydanticField) bool { return k.field == f.field }); i >= 0 {
		c.fields[i] = f
		return
	}
	c.fields = append(c.fields, f)
}

// baseSettings reports whether a base class is that of pydantic, and of which version.
func baseSettings(f *code.File, base string) (version int, ok bool) {
	for i := range f.Imports {
		m := &f.Imports[i]
		v := oneVersion
		switch m.Module {
		case "pydantic", "pydantic.v1", "pydantic.env_settings":
		case "pydantic_settings":
			v = twoVersions
		default:
			continue
		}
		if base != cmp.Or(m.Namespace, m.Module)+".BaseSettings" && !names(m, base) {
			continue
		}
		if ok && v != version {
			v = anyVersion
		}
		version, ok = v, true
	}
	return version, ok
}

// names reports whether an import makes BaseSettings known by a name.
func names(m *code.Import, name string) bool {
	for i, n := range m.Named {
		local := n
		if i < len(m.Aliases) {
			local = cmp.Or(m.Aliases[i], n)
		}
		if n == "BaseSettings" && local == name {
			return true
		}
	}
	return false
}

// sources are the methods by which a class decides where its values come from.
var sources = []string{"settings_customise_sources", "customise_sources"}

// configure reads the configuration of a class; false if it does not tell how the variables are called.
func (c *settingsClass) configure() bool {
	at := Place{c.file.Path, c.symbol.StartLine, ""}
	for i := range c.symbol.Members {
		m := &c.symbol.Members[i]
		switch {
		case slices.Contains(sources, m.Name):
			return false
		case m.Name == "Config" && slices.ContainsFunc(m.Members, func(s code.Symbol) bool { return slices.Contains(sources, s.Name) }):
			return false
		}
	}
	options := map[string]*code.Value{}
	for name, v := range c.values {
		if option, ok := strings.CutPrefix(name, "Config."); ok {
			options[option] = v
		}
	}
	if v := c.values["model_config"]; v != nil {
		for i := range v.Args {
			options[v.Args[i].Name] = &v.Args[i]
		}
	}
	if options["fields"] != nil || options["alias_generator"] != nil {
		return false
	}
	return c.apply(options, at)
}

// apply applies the options of a configuration; false if the prefix is not constant.
func (c *settingsClass) apply(options map[string]*code.Value, at Place) bool {
	if v := options["env_prefix"]; v != nil {
		if v.Kind != code.ValueString {
			return false
		}
		c.config.prefix = v.Text
	}
	if v := options["case_sensitive"]; v != nil {
		c.config.sensitive = v.Text == "True"
	}
	if v := options["env_file"]; v != nil {
		c.config.files, c.config.at = texts(v), at
		if len(c.config.files) > 0 {
			c.config.at = Place{c.file.Path, v.Line, ""}
		}
	}
	return true
}

// texts returns the texts of a value that is one, or has them as arguments or elements. It is not nil.
func texts(v *code.Value) []string {
	out := []string{}
	if v.Kind == code.ValueString {
		return append(out, v.Text)
	}
	for i := range v.Args {
		if a := &v.Args[i]; a.Kind == code.ValueString {
			out = append(out, a.Text)
		}
	}
	return out
}

// declared adds the fields that the class declares itself.
func (c *settingsClass) declared() {
	for i := range c.symbol.Members {
		m := &c.symbol.Members[i]
		if m.Kind != code.Property || strings.HasPrefix(m.Name, "_") || m.Name == "model_config" || strings.Contains(m.Returns, "ClassVar") || strings.Contains(m.Returns, "Field(") {
			continue
		}
		f := pydanticField{field: m.Name}
		at := slices.IndexFunc(c.fields, func(k pydanticField) bool { return k.field == m.Name })
		if m.Returns == "" && at < 0 {
			continue
		}
		f.Setting = Setting{Class: c.name, Type: m.Returns, Default: m.Value, Help: m.Doc, At: []Place{{c.file.Path, cmp.Or(m.NameLine, m.StartLine), m.Name}}}
		if m.Returns == "" {
			f.Type = c.fields[at].Type
		}
		if f.complete(c, m) {
			c.set(f)
		} else if at >= 0 {
			c.fields = slices.Delete(c.fields, at, at+1)
		}
	}
}

// complete reads what a field is given; false if that does not tell its variable.
func (f *pydanticField) complete(c *settingsClass, m *code.Symbol) bool {
	v := c.values[m.Name]
	if v != nil && v.Kind == code.ValueCall && last(v.Text) == "Field" {
		f.Default = given(m.Value, v)
		if help := v.Named("description"); help != nil && help.Kind == code.ValueString {
			f.Help = help.Text
		}
		if !f.named(v, c.version) {
			return false
		}
	}
	if f.Default == "..." {
		f.Default = ""
		f.Required = true
		return true
	}
	optional := strings.HasPrefix(f.Type, "Optional[") || strings.HasSuffix(f.Type, "| None") || f.Type == "Any"
	switch {
	case f.Default != "":
	case !optional || c.version == twoVersions:
		f.Required = true
	case c.version == oneVersion:
		f.Default = "None"
	}
	return true
}

// named reads the variables that Field names; false if they are not constant, or which argument counts is not known.
func (f *pydanticField) named(v *code.Value, version int) bool {
	var name *code.Value
	switch version {
	case oneVersion:
		name = v.Named("env")
	case twoVersions:
		name = v.Named("validation_alias", "alias")
	default:
		return v.Named("env", "validation_alias", "alias") == nil
	}
	if name == nil {
		return true
	}
	f.names = texts(name)
	return len(f.names) > 0 && (len(f.names) == len(name.Args) || name.Kind == code.ValueString)
}

// given returns the default that a call of Field gives, as written; "" for none.
func given(text string, v *code.Value) string {
	_, args, ok := strings.Cut(text, "(")
	if !ok {
		return ""
	}
	for arg := ""; args != ""; {
		arg, args = cutArgument(args)
		name, value, named := strings.Cut(arg, "=")
		switch name = strings.TrimSpace(name); {
		case v.Arg(0) != nil && arg != "":
			return arg
		case named && name == "default":
			return strings.TrimSpace(value)
		case named && name == "default_factory":
			if value = strings.TrimSpace(value); !strings.HasPrefix(value, "lambda") {
				return value + "()"
			}
			_, value, _ = strings.Cut(value, ":")
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// cutArgument returns the first of the arguments in a text, and what follows it.
func cutArgument(text string) (arg, rest string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == ',' || c == ')'):
			return strings.TrimSpace(text[:i]), text[i+1:]
		}
	}
	return strings.TrimSpace(text), ""
}

// last returns the last name of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// declare adds the variables of the class.
func (c *settingsClass) declare(out *Declared) {
	for i := range c.fields {
		f := &c.fields[i]
		s := f.Setting
		if variables := c.variables(f); len(variables) > 0 {
			s.Name, s.Also = variables[0], variables[1:]
		}
		s.Class = c.name
		out.add(&s)
	}
	for _, name := range c.config.files {
		out.addFile(name, c.name, c.config.at)
	}
}

// variables returns the environment variables of a field.
func (c *settingsClass) variables(f *pydanticField) []string {
	out := f.names
	if out == nil {
		out = []string{c.config.prefix + f.field}
	}
	if c.config.sensitive {
		return out
	}
	var upper []string
	for _, name := range out {
		upper = append(upper, strings.ToUpper(name))
	}
	return upper
}
