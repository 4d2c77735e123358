package program

import "github.com/reverse-spec/reverse-spec/internal/code"

// chainOf returns the calls of a chain in the order in which they run, and what the first one is called on: a().b().c() for c.
func chainOf(f *code.File, last *code.CallUse) (calls []*code.CallUse, on string) {
	for c := last; ; c = &f.Bodies.Calls[c.After-1] {
		calls = append([]*code.CallUse{c}, calls...)
		if c.After == 0 || len(calls) > maxChain {
			on, _ = split(c.Value.Text)
			return calls, on
		}
	}
}

// maxChain limits the length of a chain of calls.
const maxChain = 500

// lastOfChains calls see for the last call of each chain of a file, with its index.
func lastOfChains(f *code.File, see func(i int, c *code.CallUse)) {
	after := map[int]bool{}
	for i := range f.Bodies.Calls {
		if n := f.Bodies.Calls[i].After; n != 0 {
			after[n-1] = true
		}
	}
	for i := range f.Bodies.Calls {
		if !after[i] {
			see(i, &f.Bodies.Calls[i])
		}
	}
}
