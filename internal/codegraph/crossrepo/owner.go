package crossrepo

import (
	"bytes"
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// role is what a repository that has a contract has to do with it. Of several that have a copy, it belongs to that with the lowest role.
type role int

const (
	serves role = iota // its code is the server
	holds              // its code has nothing to do with the contract
	uses               // its code uses it, or serves another part of it
)

// roleOf returns the role of a repository for a service of one of its contracts.
func roleOf(names hashes, contract *Contract, service string) role {
	if names.has(serverName(service)) {
		return serves
	}
	for i := range contract.Symbols {
		s := &contract.Symbols[i]
		if s.Kind == "service" && (names.has(serverName(s.Name)) || names.has(clientName(s.Name))) {
			return uses
		}
	}
	return holds
}

// usedNames returns the names of contracts that the code of a repository has, see names.go.
func (r *repository) usedNames(ctx context.Context) (hashes, error) {
	if r.used != nil {
		return r.used, nil
	}
	r.used = hashes{}
	if r.project == nil {
		for _, f := range r.trace {
			for _, n := range f.Names {
				r.used[n] = true
			}
		}
		return r.used, nil
	}
	err := r.stored.Facts(ctx, nil, func(_ store.FileID, facts []byte) error {
		parsed, err := code.Decode(bytes.Clone(facts))
		if err == nil {
			for n := range (&view{repo: r, code: parsed}).names() {
				r.used[n] = true
			}
		}
		return err
	})
	return r.used, err
}

// copies are the symbols of several repositories that are one in their contracts.
type copies []*contractSymbol

// prepare builds the matchers of a repository from the contracts of all others; where a use may be of its own contract instead, from
// these, too.
func (f *federation) prepare(ctx context.Context, r *repository) error {
	f.matchers[r.place] = nil
	for i := range f.kinds {
		k := &f.kinds[i]
		if k.matcher == nil {
			continue
		}
		all, same := f.symbolsOf(k)
		var meant []*contractSymbol
		others := false
		for _, s := range all {
			of, err := f.owner(ctx, r, k, same[s.key()])
			if err != nil {
				return err
			}
			if !slices.Contains(of, s.repo) {
				continue
			}
			meant = append(meant, s)
			others = others || s.repo != r
		}
		if others {
			f.matchers[r.place] = append(f.matchers[r.place], finder{k, k.matcher(meant)})
		}
	}
	return nil
}

func (s *contractSymbol) key() [2]string { return [2]string{s.Name, s.Signature} }

// symbolsOf returns the symbols of the contracts of a kind.
func (f *federation) symbolsOf(k *kind) (all []*contractSymbol, same map[[2]string]copies) {
	same = map[[2]string]copies{}
	for _, r := range f.repos {
		for i := range r.contracts {
			c := &r.contracts[i]
			for n := range c.Symbols {
				if c.Type != k.name {
					continue
				}
				s := &contractSymbol{&c.Symbols[n], r, c}
				all = append(all, s)
				same[s.key()] = append(same[s.key()], s)
			}
		}
	}
	return all, same
}

// owner returns the repositories one of which a use by r of a symbol may be of. Where several have the symbol, it is that of the one with
// the lowest role; of several, of the first if they are in an order. Else, where the place of a use may tell, each may be meant, and
// none if not. Without an order, a repository whose code uses the contract has only a copy.
func (f *federation) owner(ctx context.Context, r *repository, k *kind, list copies) ([]*repository, error) {
	only := !slices.ContainsFunc(list, func(s *contractSymbol) bool { return s.repo != list[0].repo })
	if only && k.sited {
		return []*repository{list[0].repo}, nil
	}
	best, least := []*repository{list[0].repo}, holds
	if !only || !f.ordered {
		var err error
		if best, least, err = f.lowest(ctx, k, list); err != nil {
			return nil, err
		}
	}
	if f.ordered {
		best = best[:1]
	}
	if len(best) == 1 && best[0] == r {
		return nil, nil
	}
	best = slices.DeleteFunc(best, func(o *repository) bool {
		return o == r || least == uses && !f.ordered && !r.depends(o) // another user's copy, unless its package is used
	})
	if len(best) > 1 && !k.sited {
		return nil, nil
	}
	return best, nil
}

// lowest returns the repositories with the lowest role among those that have a symbol, and that role.
func (f *federation) lowest(ctx context.Context, k *kind, list copies) (best []*repository, least role, err error) {
	least = uses + 1
	for _, s := range list {
		as := holds
		if service := s.service(); service != "" && k.roles {
			names, err := s.repo.usedNames(ctx)
			if err != nil {
				return nil, least, err
			}
			as = roleOf(names, s.contract, service)
		}
		switch {
		case as < least:
			best, least = []*repository{s.repo}, as
		case as == least && !slices.Contains(best, s.repo):
			best = append(best, s.repo)
		}
	}
	return best, least, nil
}

// service returns the service that a symbol is or belongs to; "" for none.
func (s *contractSymbol) service() string {
	if s.Kind == "rpc" {
		return s.of
	}
	if s.Kind == "service" {
		return s.Name
	}
	return ""
}

// found is a use that was found, and may be of several contracts.
type found struct {
	kind *kind
	edge store.VirtualEdge
	of   *repository
	at   string // the text or name at the place
	weak bool
}

// site is a place in the code that uses a contract.
type site struct {
	kind *kind
	file string
	line int
	at   string
}

func (x *found) site() site { return site{x.kind, x.edge.SourceFile, x.edge.SourceLine, x.at} }

// settle adds the uses that were found in a repository. What fits contracts of several repositories is of the one that the repository also
// uses at a place which fits no other; if that does not tell, of none. Its own contracts count as used.
func (f *federation) settle(r *repository) {
	f.found = slices.DeleteFunc(f.found, f.coincidence())
	fits, told := map[site]map[*repository]bool{}, map[*kind]map[*repository]bool{}
	for i := range f.found {
		x := &f.found[i]
		if !x.kind.sited || !x.suffices() {
			continue
		}
		if fits[x.site()] == nil {
			fits[x.site()] = map[*repository]bool{}
		}
		fits[x.site()][x.of] = true
	}
	for at, of := range fits {
		if told[at.kind] == nil {
			told[at.kind] = map[*repository]bool{r: true}
		}
		if len(of) == 1 {
			for one := range of {
				told[at.kind][one] = true
			}
		}
	}
	for i := range f.found {
		x := &f.found[i]
		of := fits[x.site()]
		switch {
		case x.of == r:
		case len(of) < 2 || isOnly(of, told[x.kind], x.of):
			f.add(r, x.edge)
		default:
			f.report.Ambiguous++
		}
	}
	f.found = nil
}

// suffices reports whether the confidence of a use does.
func (x *found) suffices() bool {
	confidence, _ := Confidence(x.edge.ExactMatch, x.edge.SignatureSimilarity, x.edge.ContractBonus)
	return confidence >= Threshold
}

// leastOperations is how many operations of a contract are used if weak uses are not a coincidence.
const leastOperations = 3

// coincidence returns a function that reports whether a use is found by the name of an operation alone, or by a path of one word, and nothing
// else of the contract is used, nor several of its operations.
func (f *federation) coincidence() func(found) bool {
	type contract struct {
		of   *repository
		file string
	}
	operations, told := map[contract]map[string]bool{}, map[contract]bool{}
	for i := range f.found {
		x := &f.found[i]
		c := contract{x.of, x.edge.TargetFile}
		if operations[c] == nil {
			operations[c] = map[string]bool{}
		}
		if x.suffices() {
			operations[c][x.edge.TargetSymbol] = true
			told[c] = told[c] || !x.weak
		}
	}
	return func(x found) bool {
		c := contract{x.of, x.edge.TargetFile}
		return x.weak && !told[c] && len(operations[c]) < leastOperations
	}
}

// isOnly reports whether a repository is the only one of some that is told.
func isOnly(of, told map[*repository]bool, one *repository) bool {
	n := 0
	for other := range of {
		if told[other] {
			n++
		}
	}
	return n == 1 && told[one]
}
