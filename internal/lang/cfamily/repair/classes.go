package repair

// label returns the index after the access specifier or Qt section at i; i if there is none.
// Labels unknown to the grammar are rewritten as "public".
func (c *rewriting) label(i int, class string) int {
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
		if colon == i+1 && c.t[min(i+2, len(c.t)-1)].Kind == numberToken && c.at(i+3) == ";" {
			c.hide(i, i+3) // an unnamed bit-field
			return i + 4
		}
		return i
	}
	return colon + 1
}

// classKey returns the index of the struct, class, union or enum keyword whose body begins at
// h; -1 if the head from i to h is not that of a type definition.
func (c *rewriting) classKey(i, h int) int {
	if c.at(h) != "{" {
		return -1
	}
	key := -1
	for j := i; j < h; j++ {
		switch {
		case c.class(j) == tagWord && key < 0:
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

// marksType reports whether the word at j may have arguments in the head of a type definition.
func (c *rewriting) marksType(j int) bool {
	word := c.at(j)
	return c.class(j) == specifier || Capitals(word) || c.defined[word] || word == "__aligned" || word == "decltype"
}

// classBody rewrites the definition of a type. key is the index of its keyword, h that of the
// opening brace. It returns the index after the body.
func (c *rewriting) classBody(i, key, h, to, depth int) int {
	c.hideNames(i, key)
	name := c.className(key, h)
	end := c.closing(h)
	if end == h {
		return h + 1
	}
	if name == "" {
		name = "{" // an unnamed class
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
			c.hide(j, c.closing(j+1)) // cannot begin a declarator
			j = c.closing(j + 1)
		}
	}
	c.declarators(next, stop, false)
	return c.rest(next, stop, to)
}

// hideNames hides names among specifiers, and their arguments.
func (c *rewriting) hideNames(from, to int) {
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

// className hides the tokens between a class keyword and the name, and returns the name.
func (c *rewriting) className(key, h int) string {
	j := key + 1
	if c.class(j) == tagWord { // enum class
		j++
	}
	var atoms []atom
	for ; j < h && !c.is(j, ":", "<"); j++ {
		switch {
		case c.is(j, "[", "("):
			j = c.closing(j)
		case c.name(j) && c.at(j+1) == "(":
			c.hide(j, c.closing(j+1))
			j = c.closing(j + 1)
		case c.name(j):
			a := atom{from: j, to: c.atom(j, h)}
			atoms = append(atoms, a)
			j = a.to
		}
	}
	if c.at(key) == "enum" && c.at(j) == ":" && (len(atoms) == 0 || !c.cpp) {
		c.hide(j, h-1) // the grammars require a name; in C it must not be a type keyword
	}
	return c.chosenName(atoms)
}

// chosenName hides all names but that of the type, and returns its last part.
func (c *rewriting) chosenName(atoms []atom) string {
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

// row returns the index after a macro that stands for several enumerators; j if there is none.
func (c *rewriting) row(j int) int {
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

// enumValue returns the index after the value of an enumerator.
func (c *rewriting) enumValue(j, to int) int {
	from := j
	for j+1 < to && c.at(j+1) != "," {
		j = c.closing(j + 1)
	}
	c.expression(from, j)
	return j
}

// enumerators hides macros after and between enumerators.
func (c *rewriting) enumerators(from, to int) {
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
