package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// The roles of a [CacheKey]: what is done to the value of a key.
const (
	CacheRead   = "cache-read"
	CacheWrite  = "cache-write"
	CacheFill   = "cache-fill" // it is read, and computed and written if it is missing
	CacheRemove = "cache-remove"
	CacheExpire = "cache-expire" // its lifetime is set
)

// cacheUse is a call that uses a cache. Positions are those of positional arguments; -1 for none.
type cacheUse struct {
	languages []string
	imports   string   // a word in a module that the file imports; "" for none
	on        string   // the end of what it is called on, in lower case; "" for anything
	methods   []string // in lower case
	role      string
	key, life int
	named     []string // arguments, or members of an argument, with the lifetime
	unit      string   // of a lifetime that is a bare number
}

var (
	pythonLanguage = []string{"python"}
	goLanguage     = []string{"go"}
	rubyLanguage   = []string{"ruby"}
	phpLanguage    = []string{"php"}
	csharpLanguage = []string{"csharp"}
	jvmLanguages   = []string{"java", "kotlin"}
)

var cacheUses = []cacheUse{
	{pythonLanguage, "redis", "", []string{"setex"}, CacheWrite, 0, 1, nil, "s"},
	{pythonLanguage, "redis", "", []string{"psetex"}, CacheWrite, 0, 1, nil, "ms"},
	{pythonLanguage, "redis", "redis", []string{"set", "setnx"}, CacheWrite, 0, 2, []string{"ex", "px", "timeout"}, "s"},
	{pythonLanguage, "redis", "client", []string{"set", "setnx"}, CacheWrite, 0, 2, []string{"ex", "px"}, "s"},
	{pythonLanguage, "redis", "r", []string{"set", "setnx"}, CacheWrite, 0, 2, []string{"ex", "px"}, "s"},
	{pythonLanguage, "redis", "", []string{"expire"}, CacheExpire, 0, 1, nil, "s"},
	{pythonLanguage, "redis", "redis", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{pythonLanguage, "cache", "cache", []string{"set", "add"}, CacheWrite, 0, 2, []string{"timeout"}, "s"},
	{pythonLanguage, "cache", "cache", []string{"get_or_set"}, CacheFill, 0, 2, []string{"timeout"}, "s"},
	{pythonLanguage, "cache", "cache", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{pythonLanguage, "cache", "cache", []string{"delete", "touch"}, CacheRemove, 0, -1, nil, ""},
	{goLanguage, "redis", "", []string{"set", "setnx", "setex"}, CacheWrite, 1, 3, nil, ""},
	{goLanguage, "redis", "", []string{"get"}, CacheRead, 1, -1, nil, ""},
	{goLanguage, "redis", "", []string{"expire"}, CacheExpire, 1, 2, nil, ""},
	{goLanguage, "redis", "", []string{"del"}, CacheRemove, 1, -1, nil, ""},
	{goLanguage, "go-cache", "", []string{"set", "add"}, CacheWrite, 0, 2, nil, ""},
	{goLanguage, "go-cache", "cache", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{ecma, "redis", "", []string{"setex"}, CacheWrite, 0, 1, nil, "s"},
	{ecma, "redis", "", []string{"set"}, CacheWrite, 0, -1, []string{"EX", "PX"}, "s"},
	{ecma, "redis", "", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{ecma, "redis", "", []string{"expire"}, CacheExpire, 0, 1, nil, "s"},
	{ecma, "redis", "", []string{"del"}, CacheRemove, 0, -1, nil, ""},
	{ecma, "cache", "cache", []string{"set"}, CacheWrite, 0, 2, []string{"ttl"}, ""},
	{ecma, "cache", "cache", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{ecma, "cache", "cache", []string{"del"}, CacheRemove, 0, -1, nil, ""},
	{ecma, "cache", "cache", []string{"wrap"}, CacheFill, 0, 2, []string{"ttl"}, ""},
	{ecma, "cache", "cachemanager", []string{"set"}, CacheWrite, 0, 2, []string{"ttl"}, ""},
	{ecma, "cache", "cachemanager", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{ecma, "cache", "cachemanager", []string{"del"}, CacheRemove, 0, -1, nil, ""},
	{rubyLanguage, "", "rails.cache", []string{"fetch"}, CacheFill, 0, -1, []string{"expires_in", "expires_at"}, "s"},
	{rubyLanguage, "", "rails.cache", []string{"write"}, CacheWrite, 0, -1, []string{"expires_in", "expires_at"}, "s"},
	{rubyLanguage, "", "rails.cache", []string{"read", "exist?"}, CacheRead, 0, -1, nil, ""},
	{rubyLanguage, "", "rails.cache", []string{"delete", "delete_matched"}, CacheRemove, 0, -1, nil, ""},
	{rubyLanguage, "", "redis", []string{"setex"}, CacheWrite, 0, 1, nil, "s"},
	{rubyLanguage, "", "redis", []string{"set"}, CacheWrite, 0, -1, []string{"ex", "px"}, "s"},
	{rubyLanguage, "", "redis", []string{"expire"}, CacheExpire, 0, 1, nil, "s"},
	{phpLanguage, "", "cache", []string{"remember", "flexible"}, CacheFill, 0, 1, nil, "s"},
	{phpLanguage, "", "cache", []string{"rememberforever", "sear"}, CacheFill, 0, -1, nil, ""},
	{phpLanguage, "", "cache", []string{"put", "add"}, CacheWrite, 0, 2, nil, "s"},
	{phpLanguage, "", "cache", []string{"forever"}, CacheWrite, 0, -1, nil, ""},
	{phpLanguage, "", "cache", []string{"get", "has", "pull"}, CacheRead, 0, -1, nil, ""},
	{phpLanguage, "", "cache", []string{"forget"}, CacheRemove, 0, -1, nil, ""},
	{phpLanguage, "", "redis", []string{"setex"}, CacheWrite, 0, 1, nil, "s"},
	{phpLanguage, "", "redis", []string{"set"}, CacheWrite, 0, -1, nil, ""},
	{phpLanguage, "", "redis", []string{"expire"}, CacheExpire, 0, 1, nil, "s"},
	{jvmLanguages, "redis", "opsforvalue()", []string{"set", "setifabsent"}, CacheWrite, 0, 2, nil, ""},
	{jvmLanguages, "redis", "opsforvalue()", []string{"get"}, CacheRead, 0, -1, nil, ""},
	{jvmLanguages, "redis", "template", []string{"expire"}, CacheExpire, 0, 1, nil, ""},
	{jvmLanguages, "redis", "template", []string{"delete"}, CacheRemove, 0, -1, nil, ""},
	{csharpLanguage, "", "cache", []string{"set", "setstringasync", "setasync", "setstring"}, CacheWrite, 0, 2, nil, ""},
	{csharpLanguage, "", "cache", []string{"getorcreate", "getorcreateasync", "getorsetasync"}, CacheFill, 0, -1, nil, ""},
	{csharpLanguage, "", "cache", []string{"get", "getstringasync", "getasync", "trygetvalue"}, CacheRead, 0, -1, nil, ""},
	{csharpLanguage, "", "cache", []string{"remove", "removeasync"}, CacheRemove, 0, -1, nil, ""},
}

// cacheMark is an annotation by which the results of a function are kept.
type cacheMark struct {
	name string // its last part
	role string
	key  []string // arguments with the name of the cache
	more string   // the argument with the key in it
	life []string
}

var cacheMarks = []cacheMark{
	{"Cacheable", CacheFill, []string{"value", "cacheNames"}, "key", nil},
	{"CachePut", CacheWrite, []string{"value", "cacheNames"}, "key", nil},
	{"CacheEvict", CacheRemove, []string{"value", "cacheNames"}, "key", nil},
	{"CacheKey", CacheFill, nil, "", nil},
	{"lru_cache", CacheFill, []string{"-"}, "", nil},
	{"cached", CacheFill, []string{"key_prefix", "cache"}, "", []string{"timeout", "ttl", "expire"}},
	{"memoize", CacheFill, []string{"-"}, "", []string{"timeout"}},
	{"cache_page", CacheFill, []string{"-"}, "", []string{""}},
}

// caches finds the keys that the module keeps in caches, with their lifetimes.
var caches = Rule{
	Kind: CacheKey,
	find: func(m *Module, found func(Claim)) {
		m.calls(func(f *code.File, c *code.CallUse) {
			if claim, ok := cacheClaim(f, c); ok {
				found(claim)
			}
		})
	},
}

// cacheClaim returns what a call does to a cache.
func cacheClaim(f *code.File, c *code.CallUse) (Claim, bool) {
	if c.Mark {
		return markedCache(f, c)
	}
	u := cacheUseOf(f, c)
	if u == nil {
		return Claim{}, false
	}
	args := argumentsOf(&c.Value)
	key, life := keyText(f, args.Arg(u.key)), u.lifetime(args)
	if given := args.Arg(u.key); key == "" && given != nil && (life != "" || given.Kind == code.ValueCall) && u.life < 3 {
		key, _ = keyTemplate(f, given, 0)
	}
	if key == "" || key == "{}" {
		return Claim{}, false
	}
	return Claim{Subject: c.In, Name: key, Role: u.role, Option: lifetimeOption(life), At: []Place{{f.Path, c.Line, ""}}}, true
}

// noCaches are the ends of the names of other things that have the methods of caches.
var noCaches = []string{"request", "headers", "params"}

// cacheUseOf returns how a call uses a cache; nil if it uses none.
func cacheUseOf(f *code.File, c *code.CallUse) *cacheUse {
	on, method := cutLast(dotted(c.Value.Text))
	on, method = strings.ToLower(on), strings.ToLower(method)
	if on == "" || slices.ContainsFunc(noCaches, func(end string) bool { return strings.HasSuffix(on, end) }) {
		return nil
	}
	i := slices.IndexFunc(cacheUses, func(u cacheUse) bool {
		return slices.Contains(u.methods, method) && slices.Contains(u.languages, f.Language) && onCache(on, u.on) && (u.imports == "" || importsWord(f, u.imports))
	})
	if i < 0 {
		return nil
	}
	return &cacheUses[i]
}

// onCache reports whether what a method is called on ends as a cache's name does.
func onCache(on, end string) bool {
	return strings.HasSuffix(on, end) || strings.HasSuffix(on, end+"()") || strings.HasSuffix(on, end+"service") || strings.HasSuffix(on, end+"client")
}

// importsWord reports whether a file imports a module with a word in its name.
func importsWord(f *code.File, word string) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.Contains(strings.ToLower(i.Module), word) })
}

// argumentsOf returns a call without the call on whose result it is made, which is the first of its parts.
func argumentsOf(v *code.Value) *code.Value {
	before, _ := cutLast(v.Text)
	if strings.Contains(before, "(") && len(v.Args) > 0 && v.Args[0].Kind == code.ValueCall {
		return &code.Value{Kind: v.Kind, Text: v.Text, Args: v.Args[1:], Line: v.Line}
	}
	return v
}

// lifetime returns the lifetime that a call gives, as written; "" for none.
func (u *cacheUse) lifetime(args *code.Value) string {
	v := args.Named(u.named...)
	for i := range args.Args {
		a := &args.Args[i]
		if v == nil && a.Kind == code.ValueObject {
			v = a.Named(u.named...)
		}
		if v == nil && a.Kind == code.ValueString && slices.Contains(u.named, a.Text) && i+1 < len(args.Args) { // 'EX', 60
			v = &args.Args[i+1]
		}
	}
	if v == nil && u.life >= 0 {
		v = args.Arg(u.life)
	}
	if v == nil {
		return ""
	}
	unit := u.unit
	if strings.EqualFold(v.Name, "px") {
		unit = "ms"
	}
	text := settings.Written(v)
	if text != "" && unit != "" && strings.Trim(text, "0123456789 *") == "" {
		text += " " + unit
	}
	return text
}

func lifetimeOption(text string) *Option {
	if text == "" {
		return nil
	}
	return &Option{Default: text}
}

// keyText returns the template of a key: its literals with what is put between them in braces; "" if it has no literal.
func keyText(f *code.File, v *code.Value) string {
	text, literal := keyTemplate(f, v, 0)
	if !literal {
		return ""
	}
	return text
}

// maxTemplate limits the nesting of templates.
const maxTemplate = 4

// keyTemplate returns a text with the values that are put into it in braces, and whether any part is literal.
func keyTemplate(f *code.File, v *code.Value, depth int) (text string, literal bool) {
	switch {
	case v == nil || depth > maxTemplate:
		return "", false
	case v.Kind == code.ValueString:
		return filledKey(f, v, depth), true
	case v.Kind == code.ValueName:
		return constantKey(f, v, depth)
	case v.Kind == code.ValueCall && (strings.HasSuffix(v.Text, "rintf") || v.Text == "format!"):
		return formattedKey(f, v, depth)
	case v.Kind == code.ValueOther && (strings.Contains(v.Text, " + ") || strings.Contains(v.Text, " % ") || v.Text == ""):
		return joinedKey(f, v, depth)
	}
	return "{" + settings.Written(v) + "}", false
}

// filledKey returns a text with its parts in braces.
func filledKey(f *code.File, v *code.Value, depth int) string {
	if len(v.Args) == 0 {
		return braced(strings.TrimSuffix(v.Text, "…"))
	}
	text := braced(v.Text)
	for i := range v.Args {
		part, _ := keyTemplate(f, &v.Args[i], depth+1)
		text = strings.Replace(text, "…", part, 1)
	}
	return text
}

// constantKey returns the text of a constant of the file, or the name of something else in braces.
func constantKey(f *code.File, v *code.Value, depth int) (text string, literal bool) {
	for i := range f.Whole.Bindings {
		if b := &f.Whole.Bindings[i]; b.Name == lastName(dotted(v.Text)) && b.Value.Kind == code.ValueString {
			return keyTemplate(f, &b.Value, depth+1)
		}
	}
	return "{" + v.Text + "}", false
}

// braced writes the interpolations of all languages alike: ${id}, #{id} and {$id} as {id}.
func braced(text string) string {
	return strings.NewReplacer("${", "{", "#{", "{", "{$", "{").Replace(text)
}

// formattedKey returns the text of a format with the arguments for its verbs.
func formattedKey(f *code.File, v *code.Value, depth int) (text string, literal bool) {
	text, literal = keyTemplate(f, v.Arg(0), depth+1)
	for i := 1; v.Arg(i) != nil; i++ {
		part, _ := keyTemplate(f, v.Arg(i), depth+1)
		at := strings.IndexByte(text, '%')
		if at < 0 || at+1 >= len(text) {
			break
		}
		text = text[:at] + part + text[at+2:]
	}
	return text, literal
}

// joinedKey returns the parts of a concatenation, or of a list, one after the other.
func joinedKey(f *code.File, v *code.Value, depth int) (text string, literal bool) {
	var parts []string
	for i := range v.Args {
		part, is := keyTemplate(f, &v.Args[i], depth+1)
		parts, literal = append(parts, part), literal || is
	}
	between := ""
	if v.Text == "" {
		between = "/"
	}
	text = strings.Join(parts, between)
	if strings.Contains(v.Text, " % ") && len(parts) == 2 {
		text = strings.Replace(strings.Replace(parts[0], "%s", parts[1], 1), "%d", parts[1], 1)
	}
	return text, literal
}

// markedCache returns what an annotation says of a cache.
func markedCache(f *code.File, c *code.CallUse) (Claim, bool) {
	name := lastName(dotted(c.Value.Text))
	i := slices.IndexFunc(cacheMarks, func(k cacheMark) bool { return k.name == name })
	if i < 0 || (name == "cached" || name == "memoize") && !importsWord(f, "cach") {
		return Claim{}, false
	}
	k := &cacheMarks[i]
	key := ""
	if v := c.Value.Named(k.key...); v != nil {
		key = keyText(f, v)
	}
	if key == "" && !slices.Contains(k.key, "-") {
		key = keyText(f, c.Value.Arg(0))
	}
	if v := c.Value.Named(k.more); k.more != "" && v != nil {
		if more, ok := keyTemplate(f, v, 0); ok {
			key += "::" + more
		}
	}
	if key == "" { // of the function's arguments
		key = decorated(f, c) + "(…)"
	}
	life := c.Value.Named(k.life...)
	if slices.Contains(k.life, "") {
		life = c.Value.Arg(0)
	}
	return Claim{Subject: decorated(f, c), Name: key, Role: k.role, Option: lifetimeOption(settings.Written(life)), At: []Place{{f.Path, c.Line, ""}}}, true
}
