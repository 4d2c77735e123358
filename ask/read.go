package ask

import (
	"slices"
	"strings"
)

// reading is a question as it is understood, or what is left of it.
type reading struct {
	tokens  []token
	unknown []string // words that are not understood
	han     bool
	depth   int  // steps of a walk; 0 for none
	counts  bool // a number is asked for
	sure    bool // there is a name that looks like nothing else
}

// read understands a question word by word.
func read(question string) *reading {
	r := &reading{han: hasHan(question)}
	parts := scan(question)
	for i := 0; i < len(parts); {
		p := parts[i]
		switch p.form {
		case quoted, named:
			r.tokens = r.withStars(nameToken(p.text))
			i++
		case han:
			r.tokens = append(r.tokens, segment(p.text)...)
			i++
		case bare:
			i += r.phrase(parts[i:])
		}
	}
	r.folders()
	r.kindsOfNames()
	r.sure = len(r.slots()) > 0
	r.names()
	r.kindsOfNames()
	r.members()
	return r
}

const longestPhrase = 6

// phrase takes the longest phrase of the vocabulary off the words that come, and
// returns how many words that was.
func (r *reading) phrase(parts []piece) int {
	n := 0
	for n < len(parts) && n < longestPhrase && parts[n].form == bare {
		n++
	}
	for ; n > 0; n-- {
		text, capital := joined(parts[:n])
		m, ok := vocabulary[strings.ToLower(text)]
		first := n == 1 && ok && r.isNameFirst(parts, m)
		parts[0].middle = parts[0].middle || first
		if !ok || first || capital && (n > 1 || r.isNameHere(m, parts[0].after)) {
			continue
		}
		r.tokens = append(r.tokens, m.tokens(text)...)
		return n
	}
	p := parts[0]
	if isNumber(p.text) {
		r.tokens = append(r.tokens, token{is: "9", text: p.text})
	} else {
		r.tokens = append(r.tokens, token{is: "unknown", text: p.text, middle: p.isCapital() || r.han && isCapital(p.text)})
	}
	return 1
}

// joined is words as one text, and whether one within the sentence has a capital.
func joined(parts []piece) (text string, capital bool) {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
		capital = capital || p.isCapital()
	}
	return strings.Join(texts, " "), capital
}

// isNameHere tells whether a word of the vocabulary that is written with a capital,
// after a word that is not, stands where a name does: "who calls List?".
func (r *reading) isNameHere(m meaning, afterCapital bool) bool {
	if len(r.tokens) == 0 || m.plural || m.value != "" || afterCapital {
		return false
	}
	last := len(r.tokens) - 1
	return len(m.concepts) == 0 || r.saysKind(last) || m.kind == nil && r.tokens[last].is == "be" || slices.Contains(beforeNames, r.tokens[last].is)
}

// isNameFirst tells whether a word of the vocabulary with a capital is a name though
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
	return slices.ContainsFunc(vocabulary[strings.ToLower(parts[next].text)].concepts, func(c string) bool { return slices.Contains(ofNames, c) })
}

// ofNames is what only what has a name has.
var ofNames = []string{"caller", "callee", "subclass", "superclass", "implementer"}

// segment takes Chinese apart into the longest words of the vocabulary.
func segment(text string) []token {
	var out []token
	rest, unknown := []rune(text), ""
	flush := func() {
		if unknown != "" {
			out = append(out, token{is: "unknown", text: unknown})
		}
		unknown = ""
	}
	for len(rest) > 0 {
		n := min(len(rest), 2*longestPhrase)
		for ; n > 0; n-- {
			if m, ok := vocabulary[string(rest[:n])]; ok {
				flush()
				out = append(out, m.tokens(string(rest[:n]))...)
				break
			}
		}
		if n == 0 {
			unknown, n = unknown+string(rest[:1]), 1
		}
		rest = rest[n:]
	}
	flush()
	return out
}

// beforeNames are the concepts after which a word that is not known is a name.
var beforeNames = strings.Fields(`call called caller callee use used inherit inherited subclass superclass implement implemented implementer
	override overridden import imported importer depend dependent impact cover tested of from to between and by named contain starts ends about
	decorate define in name extension explain`)

// names makes names of words that are not known but stand where a name does. In a
// Chinese question every word in Latin letters is one.
func (r *reading) names() {
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.is != "unknown" {
			continue
		}
		latin := !hasHan(t.text)
		prev, next := r.at(i-1), r.at(i+1)
		switch {
		case t.middle, latin && r.han,
			latin && r.saysKind(i-1), latin && next.is == "own",
			latin && next.is == "kind" && !next.plural && slices.Contains([]string{"list", "where", "be", "what"}, prev.is),
			latin && slices.Contains(actives, next.is) && i > 0 && prev.is != "kind" && len(r.slots()) == 0,
			slices.Contains(beforeNames, prev.is) && (latin || slices.Contains(wordBefore, prev.is)),
			!latin && slices.Contains(wordAfter, next.is),
			latin && prev.is == "aux" && next.is != "", latin && prev.is == "be" && (r.has("where") || slices.Contains(actives, next.is)),
			latin && i == len(r.tokens)-1 && (i == 0 || i == 1 && (prev.is == "list" || prev.is == "where")):
			t.is = "$"
		}
	}
}

// actives are what one does, or has done to one.
var actives = strings.Fields("call called use used inherit inherited implement implemented override overridden import imported depend")

// wordBefore and wordAfter are where Chinese words can stand as parts of names.
var (
	wordBefore = []string{"contain", "starts", "ends", "about", "name"}
	wordAfter  = []string{"starts", "ends", "about"}
)

// at is a token, or none.
func (r *reading) at(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{}
	}
	return r.tokens[i]
}

func (r *reading) has(concept string) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.is == concept })
}

// saysKind tells whether a token is a kind that can say what the name after it is:
// "the class Base", and not "which class calls ...".
func (r *reading) saysKind(i int) bool {
	t := r.at(i)
	return t.is == "kind" && !t.plural && !slices.Contains([]string{"what", "count", "9", "most", "biggest"}, r.at(i-1).is)
}

// kindsOfNames takes the kinds that stand beside names to these: "the class Base",
// "Base class", "classes named Base".
func (r *reading) kindsOfNames() {
	for i := 0; i < len(r.tokens); i++ {
		t := &r.tokens[i]
		if t.is != "$" && t.is != "/" || t.says != nil {
			continue
		}
		next := r.at(i + 1)
		switch {
		case r.saysKind(i - 1):
			t.says = r.tokens[i-1].kind
			r.tokens = slices.Delete(r.tokens, i-1, i)
		case next.is == "kind" && !next.plural && !(r.han && r.at(i-1).is == "decorate"):
			t.says = next.kind
			r.tokens = slices.Delete(r.tokens, i+1, i+2)
		case (r.at(i-1).is == "named" || r.at(i-1).is == "called") && r.at(i-2).is == "kind":
			t.says = r.tokens[i-2].kind
			r.tokens = slices.Delete(r.tokens, i-2, i)
		case r.at(i-1).is == "named" && next.is == "own" && r.at(i+2).is == "kind":
			t.says = r.tokens[i+2].kind
			r.tokens = slices.Delete(slices.Delete(r.tokens, i+1, i+3), i-1, i)
		}
	}
}

// folders makes names of kinds that stand before folders: "in the tests folder".
func (r *reading) folders() {
	for i := range r.tokens {
		t, next := &r.tokens[i], r.at(i+1)
		if prev := r.at(i - 1).is; t.is == "kind" && (prev == "in" || prev == "of") && next.is == "kind" && next.kind.holds && !next.plural {
			*t = token{is: "$", text: t.text}
		}
	}
}

// members joins the name of a member with that of its owner: "create_user of
// UserService", "UserService's create_user".
func (r *reading) members() {
	for i := 0; i+2 < len(r.tokens); i++ {
		a, between, b := r.tokens[i], r.tokens[i+1].is, r.tokens[i+2]
		if a.is != "$" || b.is != "$" {
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
