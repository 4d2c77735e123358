package cfamily

import (
	"cmp"
	"slices"
	"sort"

	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
)

// namespaceBlock is the block of a namespace in the text.
type namespaceBlock struct {
	start, end int
	name       string // qualified
	hidden     bool   // unnamed, or inside an unnamed one
	around     int    // index of the enclosing block; -1 for none
}

// findSpaces finds the namespaces of a text with errors by its brackets, since an ERROR node
// may include the end of a namespace.
func (c *reader) findSpaces() {
	if !c.cpp || !c.Root().HasError() {
		return
	}
	t := testReader{Reader: c.Reader, tokens: repair.Tokens(c.Source[:c.Length], true)}
	t.pair()
	for i := range t.tokens {
		if t.at(i) != "namespace" || t.at(i-1) == "using" {
			continue
		}
		if s, ok := t.space(i); ok {
			c.blocks = append(c.blocks, s)
		}
	}
	c.nestSpaces()
}

// space reads the head of the namespace at i.
func (t *testReader) space(i int) (namespaceBlock, bool) {
	name, open := "", i+1
	for ; open < min(len(t.tokens), i+maxSpaceTokens) && t.at(open) != "{"; open++ {
		if t.tokens[open].Kind == repair.Word && t.at(open) != "inline" {
			name = scoped(name, t.at(open))
		}
	}
	if t.at(open) != "{" || t.close[open] == 0 || name != "" && t.tokens[i+1].Kind != repair.Word {
		return namespaceBlock{}, false
	}
	s := namespaceBlock{start: t.tokens[open].End, end: t.tokens[t.close[open]].Start, name: name, hidden: name == ""}
	if t.at(i-1) == "inline" {
		s.name = ""
	}
	return s, true
}

// maxSpaceTokens is the maximum number of tokens in the head of a namespace.
const maxSpaceTokens = 40

// nestSpaces finds the enclosing namespace of each namespace.
func (c *reader) nestSpaces() {
	slices.SortFunc(c.blocks, func(a, b namespaceBlock) int { return cmp.Compare(a.start, b.start) })
	var open []int
	for i := range c.blocks {
		s := &c.blocks[i]
		for len(open) > 0 && c.blocks[open[len(open)-1]].end <= s.start {
			open = open[:len(open)-1]
		}
		s.around = -1
		if len(open) > 0 {
			s.around = open[len(open)-1]
			around := c.blocks[s.around]
			s.name = around.name + prefixed(around.name, s.name)
			s.hidden = s.hidden || around.hidden
		}
		open = append(open, i)
		if s.name != "" {
			c.spaces[s.name] = true
		}
	}
}

func prefixed(space, name string) string {
	if space == "" || name == "" {
		return name
	}
	return "::" + name
}

// spaceAt returns the namespace around an offset, according to the brackets.
func (c *reader) spaceAt(offset int) (name string, hidden bool) {
	i := sort.Search(len(c.blocks), func(i int) bool { return c.blocks[i].start > offset }) - 1
	for i >= 0 && c.blocks[i].end <= offset {
		i = c.blocks[i].around
	}
	if i < 0 {
		return "", false
	}
	return c.blocks[i].name, c.blocks[i].hidden
}
