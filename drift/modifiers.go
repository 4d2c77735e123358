package drift

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// modifiers compares the modifiers of a declaration: static, abstract, read-only, optional,
// visibility, receiver and decorators.
func (d *differ) modifiers(p pair) {
	if d.guess {
		return
	}
	old, now := p.old, p.now
	if old.Static != now.Static {
		d.add("static-changed", p, switched(wordStatic, wordInstance, old.Static, byRule))
	}
	if old.Abstract != now.Abstract && old.Optional == now.Optional {
		d.add("abstract-changed", p, switched(wordAbstract, wordConcrete, old.Abstract, verdictIf(now.Abstract)))
	}
	if old.Readonly != now.Readonly && group(now.Kind) == "data" {
		d.add("readonly-changed", p, switched(wordReadonly, wordWritable, old.Readonly, verdictIf(now.Readonly)))
	}
	if old.Optional != now.Optional && p.owner != nil {
		d.optional(p)
	}
	if old.Default != now.Default && p.owner == nil {
		d.defaultExport(p)
	}
	d.receiver(p)
	d.decorators(p)
}

// defaultExport reports an exported symbol that became or is no longer the module's default.
func (d *differ) defaultExport(p pair) {
	q := p
	q.name = "default"
	c := change{what: p.name, old: p.old.Signature, now: p.now.Signature}
	if p.old.Default {
		d.add("default-export-removed", q, c)
		return
	}
	d.add("default-export-added", q, c)
}

// assigned reports the members of a namespace that a module of TypeScript was (export = N) and is not any more (export default N):
// others imported them by their names.
func (d *differ) assigned(p pair) {
	if !p.compat.openTypes || !p.old.Default || d.oldText == nil || d.nowText == nil {
		return
	}
	is := func(text []byte) bool {
		return regexp.MustCompile(`(?m)^export\s*=\s*` + regexp.QuoteMeta(p.old.Name) + `\b`).Match(text)
	}
	if !is(d.oldText(p.old.File)) || is(d.nowText(p.now.File)) {
		return
	}
	for i := range p.old.Members {
		m := &p.old.Members[i]
		if inObjects := group(m.Kind) == "call" || group(m.Kind) == "data"; inObjects && !m.Static || m.Visibility == code.Private || m.Name == p.now.Name {
			continue
		}
		q := pair{old: m, name: m.Name, owned: p.old, compat: p.compat}
		d.add("export-removed", q, change{old: m.Signature, more: message.New(", it is a member of `%s` only", p.now.Name)})
	}
}

// Words for the two forms of a modifier.
var (
	wordStatic, wordInstance   = message.Key("static"), message.Key("instance")
	wordAbstract, wordConcrete = message.Key("abstract"), message.Key("concrete")
	wordReadonly, wordWritable = message.Key("read-only"), message.Key("writable")
	wordAsync, wordSync        = message.Key("async"), message.Key("sync")
)

// Words for argument modes; others are keywords of a language.
var (
	wordKeyword    = message.Key("keyword")
	wordPositional = message.Key("positional")
	wordEither     = message.Key("positional or keyword")
)

// modifierWords returns all of them.
func modifierWords() []string {
	return []string{
		wordStatic, wordInstance, wordAbstract, wordConcrete, wordReadonly, wordWritable, wordAsync, wordSync,
		wordKeyword, wordPositional, wordEither,
	}
}

// switched returns the change of a modifier from one form to the other.
func switched(on, off string, was bool, v verdict) change {
	c := change{old: off, now: on, what: on, verdict: v}
	if was {
		c.old, c.now, c.what = on, off, off
	}
	if v == compatible {
		c.severity = Low
	}
	return c
}

// optional compares whether a member may be omitted: an optional member, or a Java default
// method.
func (d *differ) optional(p pair) {
	c := change{old: p.old.Signature, now: p.now.Signature}
	if p.old.Optional {
		c.verdict = verdictIf(!d.unimplementable(p))
		d.add("member-became-required", p, c)
		return
	}
	c.verdict = verdictIf(p.compat.optionalReads)
	d.add("member-became-optional", p, c)
}

// receiver compares how a method takes its object. In Go a value receiver is in the method
// sets of value and pointer, a pointer receiver only in the pointer's. In Rust &self demands
// less than &mut self, and that less than self.
func (d *differ) receiver(p pair) {
	was, is := demand(p.old), demand(p.now)
	if p.old.Receiver == "" || p.now.Receiver == "" || was == is {
		return
	}
	c := change{old: p.old.Receiver, now: p.now.Receiver}
	switch {
	case !p.compat.exact:
		c.verdict = verdictIf(is > was || d.implementedByUsers(p))
		d.add("receiver-changed", p, c)
	case is > was:
		d.add("method-set-reduced", p, c)
	default:
		d.add("method-set-widened", p, c)
	}
}

// demand ranks receivers; a higher one demands more of the caller.
func demand(s *code.Symbol) int {
	r := strings.ReplaceAll(s.Receiver, " ", "")
	switch {
	case strings.HasPrefix(r, "("): // Go
		if strings.Contains(r, "*") {
			return 1
		}
		return 0
	case strings.HasPrefix(r, "&") && !strings.Contains(r, "mut"):
		return 0
	case strings.HasPrefix(r, "&"):
		return 1
	}
	return 2
}

// quietDecorators do not affect users, or have a rule of their own.
var quietDecorators = []string{
	"Override", "derive", "SuppressWarnings", "SafeVarargs", "FunctionalInterface", "inline", "allow", "doc", "cold", "rustfmt",
	"overload", "typing.overload", "t.overload", "override", "typing.override", "staticmethod", "classmethod", "property", "abstractmethod",
	"abc.abstractmethod",
}

func (d *differ) decorators(p pair) {
	if p.compat.name == "rust" {
		return // see [differ.rust]
	}
	d.deprecation(p)
	was, is := slices.DeleteFunc(loud(p.old.Decorators), isDeprecation), slices.DeleteFunc(loud(p.now.Decorators), isDeprecation)
	gone, come := without(was, is), without(is, was)
	if len(gone)+len(come) == 0 {
		return
	}
	c := change{old: strings.Join(gone, " "), now: strings.Join(come, " ")}
	d.add("decorators-changed", p, c)
}

// loud returns the decorators that affect users, normalised.
func loud(list []string) []string {
	var out []string
	for _, text := range list {
		name := strings.TrimLeft(text, "@#[!(")
		if i := strings.IndexAny(name, "([ \t\n])"); i >= 0 {
			name = name[:i]
		}
		if !slices.Contains(quietDecorators, name) {
			out = append(out, squeeze(text))
		}
	}
	return out
}
