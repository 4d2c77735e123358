package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// kotlinSignRules rewrite signs by their text.
var kotlinSignRules = map[string]func(k *KotlinRewriter, i int){
	",":   (*KotlinRewriter).comma,
	"@":   (*KotlinRewriter).annotation,
	";":   (*KotlinRewriter).stray,
	"..<": (*KotlinRewriter).openRange,
	"[":   (*KotlinRewriter).bracket,
	"{":   (*KotlinRewriter).block,
	"}":   (*KotlinRewriter).blockEnd,
	">":   (*KotlinRewriter).reference,
	"?":   (*KotlinRewriter).reference,
	".":   (*KotlinRewriter).dot,
	"?.":  (*KotlinRewriter).dot,
	"=":   (*KotlinRewriter).assignment,
	"+=":  (*KotlinRewriter).assignment,
	"-=":  (*KotlinRewriter).assignment,
	"*=":  (*KotlinRewriter).assignment,
	"/=":  (*KotlinRewriter).assignment,
	"%=":  (*KotlinRewriter).assignment,
}

// comma drops a trailing comma.
func (k *KotlinRewriter) comma(i int) {
	if oneOf(k.tok(i+1), ") ] > -> }") {
		k.drop(i)
		k.Commas++
	}
}

// openRange rewrites an open-ended range (1.8) as a closed one.
func (k *KotlinRewriter) openRange(i int) {
	k.replace(i, "..")
	k.Hidden = append(k.Hidden, core.Span{Start: k.End(i) - 1, End: k.End(i)})
}

// block drops the parentheses around a name at the start of a block. The grammar would
// parse them as the parameters of a lambda.
func (k *KotlinRewriter) block(i int) {
	if k.tok(i+1) == "(" && k.isName(i+2) && k.tok(i+3) == ")" && !oneOf(k.tok(i+4), "-> ,") {
		k.drop(i + 1)
		k.drop(i + 3)
	}
}

// blockEnd terminates the last member of a type if it ends on the line of the closing
// brace.
func (k *KotlinRewriter) blockEnd(i int) {
	if open := k.pair(i); k.bodies[open] != "" && open < i-1 && !k.Tokens[i].line && k.tok(i-1) != ";" {
		k.terminate(i)
	}
}

// dot rewrites the receiver of a function type.
func (k *KotlinRewriter) dot(i int) {
	if !k.unfinished(i) && k.tok(i+1) == "(" && k.tok(k.after(i+1)) == "->" {
		k.receiver(i)
	}
}

// stray drops empty semicolons in the body of a class.
func (k *KotlinRewriter) stray(i int) {
	k.Semicolons++
	around := k.around(i)
	if before := k.tok(i - 1); before == ";" || before == "{" && (around < 0 || k.bodies[around] != "enum") {
		k.drop(i)
	}
}

// bracket rewrites positional destructuring (2.3) with parentheses, and an empty
// collection literal as a name.
func (k *KotlinRewriter) bracket(i int) {
	end := k.pair(i)
	if end < 0 {
		return
	}
	before, next := k.tok(i-1), k.tok(end+1)
	head := before == "(" && k.tok(i-2) == "for"
	switch {
	case end == i+1 && !k.endsExpression(i-1):
		k.mask(i, end+1)
	case before == "val" || before == "var", head && next == "in", (before == "{" || before == ",") && next == "->":
		k.replace(i, "(")
		k.replace(end, ")")
	}
}

// reference hides the type arguments and question marks before ::, which the grammar
// accepts only after simple names.
func (k *KotlinRewriter) reference(i int) {
	if next := k.tok(i + 1); next != "::" && (next != "?" || k.tok(i+2) != "::") {
		return
	}
	from := i
	if k.tok(i) == ">" {
		from = k.beforeAngles(i)
		if k.tok(from) != "<" {
			return
		}
	}
	k.hide(from, i+1)
}

// receiver replaces the receiver of the function type whose dot is token i with one
// name with arguments.
func (k *KotlinRewriter) receiver(i int) {
	if k.tok(i) == "?." {
		k.replace(i, " .")
		at := k.Start(i)
		k.Hidden = append(k.Hidden, core.Span{Start: at, End: at + 1})
	}
	last := i - 1
	if k.tok(last) == ")" && k.pair(last) >= 0 {
		k.mask(k.pair(last), i)
		return
	}
	if k.tok(last) == ">" {
		last = k.beforeAngles(last) - 1
	}
	first := last
	for k.isName(first) && k.tok(first-1) == "." {
		first -= 2
		if k.tok(first) == ">" {
			first = k.beforeAngles(first) - 1
		}
	}
	if first >= 0 && first < last && k.isName(first) {
		k.maskName(first, last+1)
	}
}

// assignment rewrites the value assigned to a property of a call's result as an
// operand: f().x = y becomes f().x ||y. The text of the sign is kept.
func (k *KotlinRewriter) assignment(i int) {
	if k.unfinished(i) {
		return
	}
	from, to := k.Start(i), k.End(i)
	if !k.inBlock(i) || to >= len(k.text) || !k.isCallTarget(i-1) {
		return
	}
	if to-from == 1 && strings.IndexByte(" \t\r\n", k.text[to]) < 0 {
		return
	}
	copy(k.Rewritten[from:], "||")
}

// isCallTarget reports whether the expression that ends at i selects from the result of
// a call.
func (k *KotlinRewriter) isCallTarget(i int) bool {
	if word := k.tok(i); k.tok(i+1) == "=" && (word == ")" || word == "}") {
		return false // the head of a function
	}
	call := false
	for i >= 0 {
		if k.isName(i) {
			before := k.tok(i - 1)
			if before != "." && before != "?." {
				return call && !oneOf(before, "val var fun : @")
			}
			i -= 2
			continue
		}
		next, calls := k.suffixStart(i)
		switch {
		case next == i: // no suffix: the start of the expression
			return call
		case next < 0:
			return false
		}
		i, call = next, call || calls
	}
	return false
}

// suffixStart returns the index before the arguments, index or mark that ends at i, and
// whether it is the arguments of a call. It returns i if there is no suffix, and -1 if
// a bracket has no partner.
func (k *KotlinRewriter) suffixStart(i int) (next int, call bool) {
	switch word := k.tok(i); word {
	case ")", "]", "}":
		before := k.pair(i) - 1
		if before < 0 {
			return -1, false
		}
		if k.isName(before) && !oneOf(k.tok(before), kotlinOpenWords) || oneOf(k.tok(before), ") ] } > !!") {
			return before, word != "]"
		}
	case ">":
		if from := k.beforeAngles(i); from != i {
			return from - 1, false
		}
		return -1, false
	case "!!":
		return i - 1, false
	}
	return i, false
}

// isGuard reports whether the if at i is a guard (2.1): is Cat if it.hungry -> feed().
func (k *KotlinRewriter) isGuard(i int) bool {
	around := k.around(i)
	if around < 0 || !k.isWhenBody(around) {
		return false
	}
	for j := i - 1; j > max(around, i-MaxArguments); j-- {
		if p := k.pair(j); p >= 0 && p < j {
			j = p
		}
		word := k.tok(j)
		switch {
		case word == "->":
			return false
		case word == ";":
			return true
		case k.Tokens[j].line && (k.endsExpression(j-1) || j-1 == around):
			if k.Tokens[j].kind != kotlinSign || oneOf(word, "( [ ! - + ++ --") {
				return true
			}
		}
	}
	return k.tok(i-1) != "{"
}

// isWhenBody reports whether the brace at i opens the entries of a when.
func (k *KotlinRewriter) isWhenBody(i int) bool {
	if k.tok(i) != "{" {
		return false
	}
	if k.tok(i-1) == ")" && k.pair(i-1) >= 0 {
		i = k.pair(i - 1)
	}
	return k.tok(i-1) == "when"
}

// destructuring rewrites destructuring by name (2.3) in the older form: (val a, val b =
// c) becomes val( a,     b    ). The original names are hidden.
func (k *KotlinRewriter) destructuring(i int) bool {
	if k.tok(i+1) == "(" {
		k.renames(i+1, k.pair(i+1))
		return true
	}
	open := i - 1
	end := k.around(i)
	if end >= 0 {
		end = k.pair(end)
	}
	if end < 0 || k.tok(open) != "(" && k.tok(open) != "," || !oneOf(k.tok(end+1), "= -> in ,") {
		return true
	}
	begin := k.pair(end)
	if k.tok(end+1) == "," && k.tok(begin-1) != "{" && k.tok(begin-1) != "," {
		return true
	}
	if open == begin && k.tok(end+1) == "=" {
		at := k.Start(open)
		copy(k.Rewritten[at:k.End(i)], "val("+strings.Repeat(" ", k.End(i)-at-len("val(")))
	} else {
		k.hide(i, i+1)
	}
	if open == begin {
		k.renames(begin, end)
	}
	return true
}

// renames hides the property names in a list: a = b.
func (k *KotlinRewriter) renames(begin, end int) {
	for j := begin + 1; j < end; j++ {
		if k.tok(j) == "@" {
			from := j
			j = k.afterAnnotations(j)
			k.hide(from, j)
		}
		if k.tok(j) == "=" && k.around(j) == begin {
			from := j
			for j < end && k.tok(j) != "," {
				j++
			}
			k.hide(from, j)
		}
		j = max(j, k.after(j)-1)
	}
}
