package repair

// label returns the token after the access specifier or Qt's section at a token;
// i when none stands there. What the grammar does not know is shown as "public".
func (c *cText) label(i int, class string) int {
	colon := i + 1
	if c.isWord(colon) {
		colon++
	}
	if !c.isWord(i) || c.at(colon) != ":" {
		return i
	}
	switch word := c.at(i); word {
	case "public", "private", "protected":
		if c.isWord(i + 1) { // public slots:
			c.hide(i+1, i+1)
		}
	case "signals", "Q_SIGNALS":
		c.hide(i, i)
		copy(c.out[c.t[i].Start:], "public")
	default:
		if class != "" && colon == i+1 && c.isMacro(c.at(i)) {
			c.hide(i, colon)
			return colon + 1
		}
		if colon == i+1 && c.t[min(i+2, len(c.t)-1)].Kind == cNumber && c.at(i+3) == ";" {
			c.hide(i, i+3) // a bit-field without name
			return i + 4
		}
		return i
	}
	return colon + 1
}

// classKey returns the token of struct, class, union or enum whose body begins at
// h; -1 when the head from i to h is none of a type's definition.
func (c *cText) classKey(i, h int) int {
	if c.at(h) != "{" {
		return -1
	}
	key := -1
	for j := i; j < h; j++ {
		switch {
		case c.class(j) == cTag && key < 0:
			key = j
		case c.at(j) == ":" && key >= 0:
			return key
		case c.at(j) == "<":
			if a := c.angle(j, h); a > 0 {
				j = a
			}
		case c.at(j) == "[":
			j = c.closing(j)
		case c.at(j) == "(":
			if !c.marksType(j - 1) {
				return -1
			}
			j = c.closing(j)
		case c.is(j, "*", "&", "operator", ")"):
			return -1
		}
	}
	return key
}

// marksType reports whether the word at a token may have arguments in the head of a
// type's definition.
func (c *cText) marksType(j int) bool {
	word := c.at(j)
	return c.class(j) == cSpecifier || Capitals(word) || c.defined[word] || word == "__aligned" || word == "decltype"
}

// classBody reads the definition of a type: its key, and where its body begins.
func (c *cText) classBody(i, key, h, to, depth int) int {
	c.hideNames(i, key)
	name := c.className(key, h)
	end := c.closing(h)
	if end == h {
		return h + 1
	}
	if name == "" {
		name = "{" // no name, but a class
	}
	if c.at(key) == "enum" {
		c.enumerators(h+1, end)
	} else {
		c.declarations(h+1, end, name, depth+1)
	}
	next := end + 1
	if next >= to || c.at(next) == "}" || c.t[next].first && c.begins(next) {
		return next
	}
	stop := c.head(next, to)
	for j := next; j < stop; j++ {
		if c.name(j) && c.at(j+1) == "(" {
			c.hide(j, c.closing(j+1)) // no declarator can begin so
			j = c.closing(j + 1)
		}
	}
	c.declarators(next, stop, false)
	return c.rest(next, stop, to)
}

// hideNames hides the names among specifiers, with their arguments.
func (c *cText) hideNames(from, to int) {
	for j := from; j < to; j++ {
		switch {
		case c.at(j) == "[":
			j = c.closing(j)
		case c.name(j) && c.at(j+1) == "(":
			c.hide(j, c.closing(j+1))
			j = c.closing(j + 1)
		case c.name(j):
			c.hide(j, j)
		case c.at(j) == "(":
			j = c.closing(j)
		}
	}
}

// className hides what stands between a class key and its name, and returns the
// name.
func (c *cText) className(key, h int) string {
	j := key + 1
	if c.class(j) == cTag { // enum class
		j++
	}
	var atoms []cAtom
	for ; j < h && !c.is(j, ":", "<"); j++ {
		switch {
		case c.is(j, "[", "("):
			j = c.closing(j)
		case c.name(j) && c.at(j+1) == "(":
			c.hide(j, c.closing(j+1))
			j = c.closing(j + 1)
		case c.name(j):
			a := cAtom{from: j, to: c.atom(j, h)}
			atoms = append(atoms, a)
			j = a.to
		}
	}
	if c.at(key) == "enum" && c.at(j) == ":" && (len(atoms) == 0 || !c.cpp) {
		c.hide(j, h-1) // the grammars want a name, that of C no type
	}
	return c.chosenName(atoms)
}

// chosenName hides all but the name of a type, and returns its last part.
func (c *cText) chosenName(atoms []cAtom) string {
	if len(atoms) == 0 {
		return ""
	}
	name := len(atoms) - 1
	for name > 0 && c.isMacro(c.at(atoms[name].from)) && !c.isMacro(c.at(atoms[name-1].from)) {
		name--
	}
	for k, a := range atoms {
		if k != name {
			c.hide(a.from, a.to)
		}
	}
	last := atoms[name].from
	for j := last; j <= atoms[name].to; j++ {
		if c.at(j) == "<" {
			break
		}
		if c.name(j) {
			last = j
		}
	}
	return c.at(last)
}

// row returns the token after a macro that makes a row of enumerators; j when there
// is none.
func (c *cText) row(j int) int {
	switch {
	case !c.name(j):
	case c.at(j+1) == "(":
		end := c.closing(j + 1)
		if c.at(end+1) == "," {
			end++
		}
		return end + 1
	case c.name(j+1) && c.t[j+1].first && c.isMacro(c.at(j)):
		return j + 1
	}
	return j
}

// enumValue skips the value of an enumerator.
func (c *cText) enumValue(j, to int) int {
	from := j
	for j+1 < to && c.at(j+1) != "," {
		j = c.closing(j + 1)
	}
	c.expression(from, j)
	return j
}

// enumerators hides macros after the names of enumerators, and between them.
func (c *cText) enumerators(from, to int) {
	begins := true
	for j := from; j < to; j++ {
		switch {
		case c.at(j) == ",":
			begins = true
			continue
		case c.at(j) == "=":
			j = c.enumValue(j, to)
		case begins && c.row(j) > j:
			end := c.row(j) - 1
			c.hide(j, end)
			j = end
			continue
		case !begins && c.name(j):
			end := j
			if c.at(j+1) == "(" {
				end = c.closing(j + 1)
			}
			c.hide(j, end)
			j = end
		case c.at(j) == "[":
			c.hide(j, c.closing(j))
			j = c.closing(j)
		}
		begins = false
	}
}
