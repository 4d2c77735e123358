package php

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/php/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// enumCase reads a case of an enumeration, or the constants that were rewritten as a
// case.
func (p *reader) enumCase(n syntax.Node, s memberScope) []code.Symbol {
	h := p.headOf(n)
	name := n.Field("name")
	sym := p.begin(n, h, name.Text(), code.EnumMember)
	if sym.Name == "" {
		return nil
	}
	sym.Static = true
	p.Place(&sym, n, s.owner)
	sym.StartLine = p.Line(h.start)
	if before := p.Source[h.start:max(h.start, name.Start())]; slices.Contains(strings.Fields(string(before)), "const") {
		return p.enumConstants(sym, n, h)
	}
	value := n.Field("value")
	for c := range n.NamedSeq() {
		if !value.Ok() && c.Start() > name.Start() {
			value = c
		}
	}
	sym.SignatureHash = p.Hash(n, append(attributeLists(n), value)...)
	if _, text, ok := strings.Cut(p.textBetween(name.End(), n.End()), "="); ok && !value.Ok() { // the value was blanked for the grammar
		m := tokensOf(strings.TrimSuffix(text, ";"))
		sym.SignatureHash = srctext.ShortHash([]byte("case " + sym.Name))
		sym.Value, sym.BodyHash = literalValue(m, 0, len(m.Tokens))
	} else {
		sym.Value, sym.BodyHash = valueText(value), p.BodyHash(value)
	}
	end := n.End()
	if value.Ok() && sym.Value == "" {
		end = value.Start()
	}
	sym.Signature = p.headText(h.start, end)
	return core.NamedSymbol(sym)
}

func (p *reader) textBetween(from, to int) string {
	return string(p.Source[from:max(from, min(to, p.Length))])
}

// enumConstants reads the constants in the text of n. Each symbol copies from first
// what the declaration shares.
func (p *reader) enumConstants(first code.Symbol, n syntax.Node, h declarationHead) []code.Symbol {
	name := n.Field("name").Start()
	shared := p.headText(h.start, name)
	_, typed, _ := strings.Cut(" "+srctext.OneLine(shared)+" ", " const ")
	m := tokensOf(p.textBetween(name, n.End()))
	all := slices.DeleteFunc(slices.Sorted(slices.Values(h.modifiers)), func(word string) bool { return word == "public" })
	var out []code.Symbol
	for i := 0; i < len(m.Tokens) && !m.Is(i, ";"); {
		end := i
		for end < len(m.Tokens) && !m.Is(end, ",", ";") {
			end = max(end, m.Pair(end)) + 1
		}
		sym := first
		sym.Name, sym.Kind, sym.Returns = m.TextOf(i), code.Const, strings.TrimSpace(typed)
		if i+2 < end {
			sym.Value, sym.BodyHash = literalValue(m, i+2, end)
		}
		sym.SignatureHash = srctext.ShortHash([]byte(strings.Join(slices.Concat(all, []string{sym.Returns, sym.Name}), " ")))
		last := min(end, len(m.Tokens)) - 1
		if sym.Value == "" {
			last = i
		}
		own := string(m.Source[m.Tokens[i].Start():m.Tokens[last].End()])
		sym.Signature = p.Dedent(shared+" "+own, h.start)
		sym.StartLine = p.Line(name + m.Tokens[i].Start())
		out = append(out, sym)
		i = end + 1
	}
	return out
}

// tokensOf tokenizes code and pairs its brackets.
func tokensOf(code string) *repair.Rewriter {
	m := &repair.Rewriter{Source: []byte(code)}
	m.Tokens = repair.TokensIn(m.Source)
	m.Partner = m.Partners()
	return m
}

// literalValue returns the text of tokens [from, to), if it is short and on one line,
// and its hash.
func literalValue(m *repair.Rewriter, from, to int) (text, hash string) {
	if from >= to || to > len(m.Tokens) {
		return "", ""
	}
	var all []string
	for i := from; i < to; i++ {
		if !m.Is(i, ",") || !m.Is(i+1, "]", ")") { // a trailing comma
			all = append(all, m.TextOf(i))
		}
	}
	text = srctext.OneLine(string(m.Source[m.Tokens[from].Start():m.Tokens[to-1].End()]))
	if len(text) > core.LongValue {
		text = ""
	}
	return text, srctext.ShortHash([]byte(strings.Join(all, "\x00")))
}
