package repair

// typeHead rewrites the head of the class, interface or object whose keyword is token
// i: newlines before its constructor, annotations of its supertypes, and a delegate
// before its body.
func (k *KotlinRewriter) typeHead(i int) bool {
	at := i + 1
	if k.isName(at) {
		at++
	}
	if k.tok(at) == "<" {
		at = k.afterAngles(at)
	}
	at = k.constructor(at)
	if k.tok(at) == "(" {
		at = k.after(at)
	}
	bases, by := false, -1
	for ; at < len(k.Tokens); at = max(at+1, k.after(at)) {
		word := k.tok(at)
		switch {
		case word == "{":
			k.body(i, at, by)
			return true
		case word == ":":
			bases = true
			continue
		case k.endsHead(at):
			return true
		}
		switch {
		case word == "@" && bases:
			end := k.afterAnnotations(at)
			k.hide(at, end)
			at = end - 1
		case word == "by":
			by = at
		case word == ",":
			by = -1
		case by < 0 && !k.isName(at) && !oneOf(word, "where ( < . > ? * -> &"):
			return true
		}
	}
	return true
}

// endsHead reports whether the head of a type ends before token at.
func (k *KotlinRewriter) endsHead(at int) bool {
	word := k.tok(at)
	return k.Tokens[at].line && !oneOf(k.tok(at-1), ": , by where &") && !oneOf(word, ", by where") ||
		kotlinDeclarators[word] || oneOf(word, ") } ] ; =")
}

// body records the opening bracket at of the body of the type whose keyword is token i.
// by is the index of a delegate's by, or 0.
func (k *KotlinRewriter) body(i, at, by int) {
	k.bodies[at] = "class"
	if k.tok(i-1) == "enum" {
		k.bodies[at] = "enum"
	}
	if by > 0 {
		k.delegate(by, at)
	}
}

// constructor returns the index after the word constructor in a head and moves it to
// the line of the head's start. It returns at if there is none.
func (k *KotlinRewriter) constructor(at int) int {
	end := at
	for {
		if next := k.afterAnnotations(end); next != end {
			end = next
			continue
		}
		if !kotlinModifiers[k.tok(end)] {
			break
		}
		end++
	}
	if k.tok(end) != "constructor" {
		return at
	}
	for j := at; j <= end; j++ {
		k.join(j)
	}
	return end + 1
}

// delegate rewrites the delegate between by and the body of a class as a supertype. The
// grammar would parse the body as its trailing lambda.
func (k *KotlinRewriter) delegate(by, body int) {
	k.replace(by, ",")
	at := by + 1
	for k.isName(at) && k.tok(at+1) == "." {
		at += 2
	}
	if k.isName(at) {
		at++
	}
	if k.tok(at) == "(" {
		at = k.after(at)
	}
	if at != body || !k.isName(by+1) || k.tok(by+1) == "this" || k.tok(by+1) == "super" {
		k.maskName(by+1, body)
	}
}

// maxAnnotations is the maximum number of consecutive annotations. Each doubles the
// number of parses that the grammar tries.
const maxAnnotations = 32

// annotation drops an annotation after too many others.
func (k *KotlinRewriter) annotation(i int) {
	if k.isName(i-1) && k.End(i-1) == k.Start(i) {
		return // a label: this@A, return@f
	}
	if i != k.annotated {
		k.annotations = 0
	}
	k.annotations++
	k.annotated = max(i+1, k.afterOne(i))
	k.maskArguments(i)
	if k.annotations > maxAnnotations {
		k.refuse(k.Start(i), k.End(k.annotated-1), "too many annotations ")
	}
}

// maskArguments replaces the name and arguments of an annotation with one name. After a
// closing bracket the grammar may parse class A as an operand.
func (k *KotlinRewriter) maskArguments(i int) {
	last := k.annotated - 1
	if k.tok(last) != ")" || k.tok(i+1) == "[" || k.tok(i+1) == "file" {
		return
	}
	from := i + 1
	if k.tok(i+2) == ":" {
		from = i + 3
	}
	for from < last && k.tok(from+1) == "." {
		from += 2
	}
	if k.isName(from) {
		k.maskName(from, last+1)
		k.masked = last + 1
	}
}

// endsAnnotation reports whether token i is the last token of an annotation.
func (k *KotlinRewriter) endsAnnotation(i int) bool {
	if k.tok(i) == ")" && k.pair(i) >= 0 {
		i = k.pair(i) - 1
	}
	for k.isName(i) && k.tok(i-1) == "." {
		i -= 2
	}
	at := i - 1
	if k.tok(at) == ":" {
		if at -= 2; k.tok(at+1) == "file" {
			return false
		}
	}
	return k.isName(i) && k.tok(at) == "@" && !oneOf(k.tok(at-1), "return break continue this super")
}

// afterAnnotations returns the index of the first token from i on that is not part of
// an annotation.
func (k *KotlinRewriter) afterAnnotations(i int) int {
	for limit := i + MaxArguments; k.tok(i) == "@" && i < limit; {
		i = k.afterOne(i)
	}
	return min(i, len(k.Tokens))
}

// afterOne returns the index after the annotation that begins at i.
func (k *KotlinRewriter) afterOne(i int) int {
	i++
	if k.isName(i) && k.tok(i+1) == ":" { // its target
		i += 2
	}
	if k.tok(i) == "[" {
		return k.after(i)
	}
	i++
	for k.tok(i) == "." && k.isName(i+1) {
		i += 2
	}
	if k.tok(i) == "<" {
		i = k.afterAngles(i)
	}
	if k.tok(i) == "(" && k.Start(i) == k.End(i-1) {
		i = k.after(i)
	}
	return min(i, len(k.Tokens))
}

// MaxArguments is the maximum number of tokens in a list of type arguments.
const MaxArguments = 256

// afterAngles returns the index after the type arguments that open at i, or i if there
// are none.
func (k *KotlinRewriter) afterAngles(i int) int {
	depth := 0
	for j := i; j < min(len(k.Tokens), i+MaxArguments); j++ {
		switch word := k.tok(j); {
		case word == "<":
			depth++
		case word == ">":
			if depth--; depth == 0 {
				return j + 1
			}
		case word == "(" || word == "[":
			if k.pair(j) < j {
				return i
			}
			j = k.pair(j)
		case k.isName(j) || oneOf(word, ". , ? * -> & : @ ?."):
		default:
			return i
		}
	}
	return i
}

// beforeAngles returns the index of the bracket that opens the type arguments that
// close at i, or i if there are none.
func (k *KotlinRewriter) beforeAngles(i int) int {
	depth := 0
	for j := i; j >= max(0, i-MaxArguments); j-- {
		switch word := k.tok(j); {
		case word == ">":
			depth++
		case word == "<":
			if depth--; depth == 0 {
				return j
			}
		case word == ")" || word == "]":
			if k.pair(j) < 0 || k.pair(j) > j {
				return i
			}
			j = k.pair(j)
		case k.isName(j) || oneOf(word, ". , ? * -> & : @ ?."):
		default:
			return i
		}
	}
	return i
}
