package index

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// oracle is what compilers' indexes say of the project's files.
type oracle struct {
	mentions map[string][]mention // by file, sorted by where they stand
	meanings [][]resolve.Meaning  // by the number of the symbol
}

// mention is a place where a symbol's name is used.
type mention struct {
	pos    uint32 // in bytes
	text   uint32 // a hash of what stands there: an index may be of another text
	symbol uint32
}

// At returns what the name that stands at a byte of a file means; see [resolve.Oracle].
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

// settle makes the oracle ready: mentions of symbols of which nothing is known are
// dropped, others sorted.
func (o *oracle) settle() {
	for file, list := range o.mentions {
		list = slices.DeleteFunc(list, func(m mention) bool { return len(o.meanings[m.symbol]) == 0 })
		slices.SortFunc(list, func(a, b mention) int {
			return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.symbol, b.symbol))
		})
		o.mentions[file] = slices.Clip(slices.Compact(list))
	}
}
