package index

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// oracle holds the references of SCIP indexes to and in the project's files.
type oracle struct {
	mentions map[string][]mention // by file, sorted by position
	meanings [][]resolve.Meaning  // by symbol number
}

// mention is an occurrence of a symbol's name.
type mention struct {
	pos    uint32 // byte offset
	text   uint32 // a hash of the name: the index may be of another version of the text
	symbol uint32
}

// At returns the meanings of the name at a byte offset of a file; see [resolve.Oracle].
func (o *oracle) At(file string, pos int, name string) []resolve.Meaning {
	list := o.mentions[file]
	i, _ := slices.BinarySearchFunc(list, uint32(pos), func(m mention, pos uint32) int { return cmp.Compare(m.pos, pos) })
	text := resolve.Hash(name)
	var out []resolve.Meaning
	for ; i < len(list) && list[i].pos == uint32(pos); i++ {
		if list[i].text == text {
			out = append(out, o.meanings[list[i].symbol]...)
		}
	}
	return out
}

// finish prepares the oracle for use: it drops mentions of unknown symbols and sorts the others.
func (o *oracle) finish() {
	for file, list := range o.mentions {
		list = slices.DeleteFunc(list, func(m mention) bool { return len(o.meanings[m.symbol]) == 0 })
		slices.SortFunc(list, func(a, b mention) int {
			return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.symbol, b.symbol))
		})
		o.mentions[file] = slices.Clip(slices.Compact(list))
	}
}
