package contractfile

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// node is an element of a contract: a message, a field, a type, a table.
type node struct {
	kind     string // "message", "field"; a key of the kind's table
	key      string // the same on both sides for the same element; unique among siblings
	name     string // as users name it, qualified
	file     string
	line     int
	facts    []fact
	children []*node
}

// fact is a property of an element.
type fact struct {
	term  string // "type", "default value"; a key of the kind's table
	value string
}

func (n *node) set(term, value string) {
	n.facts = append(n.facts, fact{term, value})
}

func (n *node) get(term string) string {
	for _, f := range n.facts {
		if f.term == term {
			return f.value
		}
	}
	return ""
}

// outcome is what a change means.
type outcome struct {
	breaks message.Text // whom and why; empty for nobody
	risky  bool
	silent bool // not a change
}

func breaking(t message.Text) outcome { return outcome{breaks: t} }

var (
	harmless = outcome{}
	surprise = outcome{risky: true}
	nothing  = outcome{silent: true}
)

// policy decides what changes of one kind of contract mean.
type policy struct {
	name    string
	removed func(n *node, in *tree) outcome // in is the new side
	added   func(n *node, in *tree) outcome // in is the old side; n's parent is on both
	altered func(old, now *node, term, was, is string) outcome
}

// tree is the contract of one side.
type tree struct {
	all map[string]*node // by kind and name
}

func newTree(roots []*node) *tree {
	t := &tree{all: map[string]*node{}}
	var walk func(list []*node)
	walk = func(list []*node) {
		for _, n := range list {
			t.all[n.kind+" "+n.name] = n
			walk(n.children)
		}
	}
	walk(roots)
	return t
}

// differ compares two trees.
type differ struct {
	*policy
	old, now *tree
	lost     map[string]bool // files that are gone
	out      []Change
}

func (c *comparison) trees(p *policy, old, now []*node) {
	d := &differ{policy: p, old: newTree(old), now: newTree(now), lost: map[string]bool{}}
	d.siblings(old, now)
	c.changes = append(c.changes, d.out...)
}

func (d *differ) siblings(old, now []*node) {
	index := map[string]*node{}
	for _, n := range now {
		index[n.kind+" "+n.key] = n
	}
	seen := map[*node]bool{}
	for _, o := range old {
		n := index[o.kind+" "+o.key]
		if n == nil {
			d.gone(o)
			continue
		}
		seen[n] = true
		d.compare(o, n)
	}
	for _, n := range now {
		if !seen[n] {
			d.come(n)
		}
	}
}

func (d *differ) compare(o, n *node) {
	terms := slices.Clone(o.facts)
	for _, f := range n.facts {
		if !slices.ContainsFunc(o.facts, func(g fact) bool { return g.term == f.term }) {
			terms = append(terms, fact{f.term, ""})
		}
	}
	for _, f := range terms {
		was, is := f.value, n.get(f.term)
		if was == is {
			continue
		}
		if r := d.altered(o, n, f.term, was, is); !r.silent {
			words := message.New("%s of %s `%s` changed: `%s` → `%s`", f.term, n.kind, o.name, orNone(was), orNone(is))
			d.add(n, Altered, f.term+"-changed", r, words, was, is)
		}
	}
	d.siblings(o.children, n.children)
}

func (d *differ) gone(o *node) {
	if moved := d.now.all[o.kind+" "+o.name]; moved != nil && d.moved(o, moved) {
		return
	}
	if o.kind == "file" { // its parts may be elsewhere
		d.lost[o.file] = true
		for _, c := range o.children {
			if moved := d.now.all[c.kind+" "+c.name]; moved != nil {
				d.moved(c, moved)
			}
		}
	}
	if r := d.removed(o, d.now); !r.silent {
		d.add(o, Removed, "removed", r, message.New("%s `%s` was removed", o.kind, o.name), o.text(), "")
	}
}

// moved compares an element that is elsewhere now, if it was not there before.
func (d *differ) moved(o, n *node) bool {
	if before := d.old.all[n.kind+" "+n.name]; before != o {
		return false
	}
	if r := d.altered(o, n, "file", o.file, n.file); o.file != n.file && !r.silent && !d.lost[o.file] {
		words := message.New("%s of %s `%s` changed: `%s` → `%s`", "file", n.kind, o.name, o.file, n.file)
		d.add(n, Altered, "file-changed", r, words, o.file, n.file)
	}
	d.compare(o, n)
	return true
}

func (d *differ) come(n *node) {
	if before := d.old.all[n.kind+" "+n.name]; before != nil && d.now.all[n.kind+" "+n.name] == n {
		return // it moved
	}
	if r := d.added(n, d.old); !r.silent {
		d.add(n, Added, "added", r, message.New("%s `%s` was added", n.kind, n.name), "", n.text())
	}
}

func (d *differ) add(n *node, effect Effect, rule string, r outcome, words message.Text, was, is string) {
	d.out = append(d.out, Change{
		Rule: strings.ReplaceAll(d.name+"-"+n.kind+"-"+rule, " ", "-"), Effect: effect, Symbol: n.name, Words: words, Breaks: r.breaks, Risky: r.risky,
		Old: was, New: is, File: n.file, Line: max(n.line, 1), Gone: effect == Removed,
	})
}

// text shows an element: its kind, name and properties.
func (n *node) text() string {
	var parts []string
	for _, f := range n.facts {
		if f.value != "" {
			parts = append(parts, f.term+" "+f.value)
		}
	}
	text := n.kind + " " + n.name
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

func orNone(text string) string {
	if text == "" {
		return "∅"
	}
	return text
}
