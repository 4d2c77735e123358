package question

import (
	"slices"
	"strings"
)

// beforeNames are the concepts after which an unknown word is a name.
var beforeNames = strings.Fields(`call called caller callee use used inherit inherited subclass superclass implement implemented implementer
	override overridden import imported importer depend dependent impact cover tested of from to between and by named contain starts ends about
	decorate define in name extension explain`)

// wordBefore and wordAfter match the contexts in which a Chinese word may be part of a name.
var (
	wordBefore = []string{"contain", "starts", "ends", "about", "name"}
	wordAfter  = []string{"starts", "ends", "about"}
)

// actives are the concepts of relations.
var actives = strings.Fields("call called use used inherit inherited implement implemented override overridden import imported depend")

// states are the concepts of properties.
var states = strings.Fields("unused uncalled tested untested exported private recursive documented undocumented")

// names converts unknown words to names where a name is expected.
func (r *reading) names() {
	for i := range r.tokens {
		if t := &r.tokens[i]; t.is == "unknown" && (t.middle || r.namesAt(i)) {
			t.is = "$"
		}
	}
}

// namesAt reports whether a name is expected at a position. In a Chinese question every word in Latin letters is a
// name.
func (r *reading) namesAt(i int) bool {
	prev, next := r.at(i-1), r.at(i+1)
	if hasHan(r.tokens[i].text) {
		return slices.Contains(wordBefore, prev.is) || slices.Contains(wordAfter, next.is)
	}
	return r.han || r.isQualifier(i-1) || next.is == "own" || slices.Contains(beforeNames, prev.is) || r.isSubject(i) || r.isAlone(i)
}

// isSubject reports whether a word is a subject: "what does helper call", "is helper used", "the helper function".
func (r *reading) isSubject(i int) bool {
	prev, next := r.at(i-1), r.at(i+1)
	does := slices.Contains(actives, next.is)
	switch prev.is {
	case "aux":
		return next.is != "" || slices.Contains(actives, r.at(i-2).is)
	case "be":
		return does || slices.Contains(states, next.is) || r.has("where") || next.is == "kind" && !next.plural
	case "list", "where", "what":
		return does && len(r.slots()) == 0 || next.is == "kind" && !next.plural
	default:
		return does && i > 0 && prev.is != "kind" && len(r.slots()) == 0
	}
}

// isAlone reports whether a word is the whole question, or all that is to be shown.
func (r *reading) isAlone(i int) bool {
	if i != len(r.tokens)-1 || isPlural(r.tokens[i].text) {
		return false
	}
	return i == 0 || i == 1 && (r.tokens[0].is == "list" || r.tokens[0].is == "where")
}

// isPlural reports whether a word looks like a plural: "routes".
func isPlural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && word == strings.ToLower(word)
}

// isName reports whether a word of the vocabulary is used as a name.
func (r *reading) isName(parts []piece, m meaning) bool {
	return parts[0].isCapital() && r.isNameHere(m, parts[0].after) || r.isNameFirst(parts, m) || r.isPart(parts, m) || r.isBare(parts)
}

// nouns are words for the project, which are names without an article.
var nouns = strings.Fields("app application code source project")

// isBare reports whether a word for the project is used as a name: "what does app import", "who imports app", "app
// 导入了什么".
func (r *reading) isBare(parts []piece) bool {
	if !slices.Contains(nouns, strings.ToLower(parts[0].text)) {
		return false
	}
	return r.han && parts[0].text == "app" || isRelationWord(parts[0].before) || slices.Contains([]string{"do", "does", "did"}, parts[0].before) && len(parts) > 1 && isRelationWord(parts[1].text)
}

// isRelationWord reports whether a word denotes a relation.
func isRelationWord(word string) bool {
	return slices.ContainsFunc(vocabulary()[strings.ToLower(word)].concepts, func(c string) bool { return slices.Contains(actives, c) })
}

// isNameHere reports whether a capitalized word of the vocabulary, after a word that is not, is used as a name:
// "who calls List?".
func (r *reading) isNameHere(m meaning, afterCapital bool) bool {
	if len(r.tokens) == 0 || m.plural || m.value != "" || afterCapital {
		return false
	}
	last := len(r.tokens) - 1
	return len(m.concepts) == 0 || r.isQualifier(last) || m.kind == nil && r.tokens[last].is == "be" || slices.Contains(beforeNames, r.tokens[last].is)
}

// isNameFirst reports whether a capitalized word of the vocabulary at the start of a question is a name: in
// Chinese, and before concepts that only names have.
func (r *reading) isNameFirst(parts []piece, m meaning) bool {
	if !isCapital(parts[0].text) || m.kind != nil || m.value != "" {
		return false
	}
	if r.han {
		return true
	}
	next := slices.IndexFunc(parts[1:], func(p piece) bool { return p.text != "'s" }) + 1
	if parts[0].middle || len(m.concepts) > 0 || next == 0 {
		return false
	}
	return slices.ContainsFunc(vocabulary()[strings.ToLower(parts[next].text)].concepts, func(c string) bool { return slices.Contains(ofNames, c) })
}

// isPart reports whether a word of the vocabulary in a Chinese question is part of a name: "名字包含 get", "以 get 开头".
func (r *reading) isPart(parts []piece, m meaning) bool {
	if !r.han || m.kind != nil || m.value != "" {
		return false
	}
	if last := r.at(len(r.tokens) - 1); slices.Contains(wordBefore, last.is) || last.is == "named" || slices.Contains(actives, last.is) {
		return true
	}
	return len(parts) > 1 && slices.ContainsFunc([]string{"开头", "结尾", "相关", "打头"}, func(s string) bool { return strings.HasPrefix(parts[1].text, s) })
}

// ofNames are concepts that apply only to names.
var ofNames = []string{"caller", "callee", "subclass", "superclass", "implementer"}

// isQualifier reports whether a token is a kind that qualifies the name after it: "the class Base", not "which class
// calls ...".
func (r *reading) isQualifier(i int) bool {
	t := r.at(i)
	return t.is == "kind" && !t.plural && !slices.Contains([]string{"what", "count", "9", "most", "biggest"}, r.at(i-1).is)
}

// kindsOfNames attaches kinds to the adjacent names: "the class Base", "Base class", "classes named Base".
func (r *reading) kindsOfNames() {
	for i := 0; i < len(r.tokens); i++ {
		if t := r.tokens[i]; t.is != "$" && t.is != "/" || t.qualifier != nil {
			continue
		}
		if at, from, to, ok := r.kindBeside(i); ok {
			r.tokens[i].qualifier = r.tokens[at].kind
			name := r.tokens[i]
			r.tokens = slices.Replace(r.tokens, from, to, name)
			i = from
		}
	}
}

// kindBeside finds the kind that qualifies a name, and the range of both.
func (r *reading) kindBeside(i int) (at, from, to int, ok bool) {
	prev, next := r.at(i-1), r.at(i+1)
	named := prev.is == "named" || prev.is == "called"
	switch {
	case r.isQualifier(i - 1):
		return i - 1, i - 1, i + 1, true
	case next.is == "kind" && !next.plural && (!r.han || prev.is != "decorate"):
		return i + 1, i, i + 2, true
	case named && r.at(i-2).is == "kind":
		return i - 2, i - 2, i + 1, true
	case prev.is == "named" && next.is == "own" && r.at(i+2).is == "kind":
		return i + 2, i - 1, i + 3, true
	}
	return 0, 0, 0, false
}

// folders converts kinds before "folder" to names: "in the tests folder".
func (r *reading) folders() {
	for i := range r.tokens {
		t, next := &r.tokens[i], r.at(i+1)
		prev := r.at(i - 1).is
		within := prev == "in" || prev == "of" || r.han && !hasHan(t.text)
		if t.is == "kind" && within && next.is == "kind" && next.kind.holds && !next.plural {
			*t = token{is: "$", text: t.text}
		}
	}
}

// kindsTogether joins "functions or methods" to one kind.
func (r *reading) kindsTogether() {
	for i := range r.tokens {
		if r.tokens[i].is == "or" && r.at(i-1).is == "kind" && r.at(i+1).is == "kind" {
			r.tokens[i].is = "and"
		}
	}
}

// members joins the name of a member with that of its owner: "create_user of UserService", "UserService's
// create_user".
func (r *reading) members() {
	for i := 0; i+2 < len(r.tokens); i++ {
		a, between, b := r.tokens[i], r.tokens[i+1].is, r.tokens[i+2]
		if a.is != "$" || b.is != "$" || slices.Contains(wordBefore, r.at(i-1).is) {
			continue
		}
		switch {
		case (between == "of" || between == "in") && b.isType() && !a.isType():
			a.text = b.text + "." + a.text
		case between == "own" && a.isType() && !b.isType():
			b.text = a.text + "." + b.text
			a = b
		default:
			continue
		}
		r.tokens = slices.Replace(r.tokens, i, i+3, a)
	}
}
