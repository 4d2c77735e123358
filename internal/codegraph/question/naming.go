package question

import (
	"slices"
	"strings"
)

// beforeNames are the concepts after which a word that is not known is a name.
var beforeNames = strings.Fields(`call called caller callee use used inherit inherited subclass superclass implement implemented implementer
	override overridden import imported importer depend dependent impact cover tested of from to between and by named contain starts ends about
	decorate define in name extension explain`)

// wordBefore and wordAfter are where words of Chinese can be parts of names.
var (
	wordBefore = []string{"contain", "starts", "ends", "about", "name"}
	wordAfter  = []string{"starts", "ends", "about"}
)

// actives are what one does, or has done to one.
var actives = strings.Fields("call called use used inherit inherited implement implemented override overridden import imported depend")

// states are what something can be.
var states = strings.Fields("unused uncalled tested untested exported private recursive documented undocumented")

// names makes names of words that are not known but stand where a name does.
func (r *reading) names() {
	for i := range r.tokens {
		if t := &r.tokens[i]; t.is == "unknown" && (t.middle || r.namesAt(i)) {
			t.is = "$"
		}
	}
}

// namesAt reports whether a name stands in a place. In a Chinese question every word in
// Latin letters is one.
func (r *reading) namesAt(i int) bool {
	prev, next := r.at(i-1), r.at(i+1)
	if hasHan(r.tokens[i].text) {
		return slices.Contains(wordBefore, prev.is) || slices.Contains(wordAfter, next.is)
	}
	return r.han || r.saysKind(i-1) || next.is == "own" || slices.Contains(beforeNames, prev.is) || r.isSubject(i) || r.isAlone(i)
}

// isSubject reports whether a word stands where what does something does: "what does
// helper call", "is helper used", "the helper function".
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

// isAlone reports whether a word is the question, or all that is to be shown.
func (r *reading) isAlone(i int) bool {
	if i != len(r.tokens)-1 || isPlural(r.tokens[i].text) {
		return false
	}
	return i == 0 || i == 1 && (r.tokens[0].is == "list" || r.tokens[0].is == "where")
}

// isPlural reports whether a word looks like the plural of something: "routes".
func isPlural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && word == strings.ToLower(word)
}

// isName reports whether a word of the vocabulary is a name all the same.
func (r *reading) isName(parts []piece, m meaning) bool {
	return parts[0].isCapital() && r.isNameHere(m, parts[0].after) || r.isNameFirst(parts, m) || r.isPart(parts, m) || r.isBare(parts)
}

// nouns are words for the project, and names where no article is with them.
var nouns = strings.Fields("app application code source project")

// isBare reports whether a word for the project is a name: "what does app import", "who
// imports app", "app 导入了什么".
func (r *reading) isBare(parts []piece) bool {
	if !slices.Contains(nouns, strings.ToLower(parts[0].text)) {
		return false
	}
	return r.han && parts[0].text == "app" || does(parts[0].before) || slices.Contains([]string{"do", "does", "did"}, parts[0].before) && len(parts) > 1 && does(parts[1].text)
}

// does reports whether a word says what one does.
func does(word string) bool {
	return slices.ContainsFunc(vocabulary()[strings.ToLower(word)].concepts, func(c string) bool { return slices.Contains(actives, c) })
}

// isNameHere reports whether a word of the vocabulary that is written with a capital,
// after a word that is not, stands where a name does: "who calls List?".
func (r *reading) isNameHere(m meaning, afterCapital bool) bool {
	if len(r.tokens) == 0 || m.plural || m.value != "" || afterCapital {
		return false
	}
	last := len(r.tokens) - 1
	return len(m.concepts) == 0 || r.saysKind(last) || m.kind == nil && r.tokens[last].is == "be" || slices.Contains(beforeNames, r.tokens[last].is)
}

// isNameFirst reports whether a word of the vocabulary with a capital is a name though
// the question begins with it: in Chinese, and before what only names have.
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

// isPart reports whether a word of the vocabulary in a Chinese question is part of a
// name: "名字包含 get", "以 get 开头".
func (r *reading) isPart(parts []piece, m meaning) bool {
	if !r.han || m.kind != nil || m.value != "" {
		return false
	}
	if last := r.at(len(r.tokens) - 1); slices.Contains(wordBefore, last.is) || last.is == "named" || slices.Contains(actives, last.is) {
		return true
	}
	return len(parts) > 1 && slices.ContainsFunc([]string{"开头", "结尾", "相关", "打头"}, func(s string) bool { return strings.HasPrefix(parts[1].text, s) })
}

// ofNames is what only what has a name has.
var ofNames = []string{"caller", "callee", "subclass", "superclass", "implementer"}

// saysKind reports whether a token is a kind that can say what the name after it is:
// "the class Base", and not "which class calls ...".
func (r *reading) saysKind(i int) bool {
	t := r.at(i)
	return t.is == "kind" && !t.plural && !slices.Contains([]string{"what", "count", "9", "most", "biggest"}, r.at(i-1).is)
}

// kindsOfNames takes the kinds that stand beside names to these: "the class Base",
// "Base class", "classes named Base".
func (r *reading) kindsOfNames() {
	for i := 0; i < len(r.tokens); i++ {
		if t := r.tokens[i]; t.is != "$" && t.is != "/" || t.says != nil {
			continue
		}
		if at, from, to, ok := r.kindBeside(i); ok {
			r.tokens[i].says = r.tokens[at].kind
			name := r.tokens[i]
			r.tokens = slices.Replace(r.tokens, from, to, name)
			i = from
		}
	}
}

// kindBeside finds the kind that is said of a name, and from where to where both of
// them and the words between stand.
func (r *reading) kindBeside(i int) (at, from, to int, ok bool) {
	prev, next := r.at(i-1), r.at(i+1)
	named := prev.is == "named" || prev.is == "called"
	switch {
	case r.saysKind(i - 1):
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

// folders makes names of kinds that stand before folders: "in the tests folder".
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

// kindsTogether has "functions or methods" mean both.
func (r *reading) kindsTogether() {
	for i := range r.tokens {
		if r.tokens[i].is == "or" && r.at(i-1).is == "kind" && r.at(i+1).is == "kind" {
			r.tokens[i].is = "and"
		}
	}
}

// members joins the name of a member with that of its owner: "create_user of
// UserService", "UserService's create_user".
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
