package resolve_test

import "strings"

// pythonTruth keeps, of the signatures of an overloaded Python function that pyright reports, only the last, which
// has the body.
func pythonTruth(truth map[pair]said) map[pair]said {
	type group struct {
		from       place
		file, name string
	}
	last := map[group]int{}
	for k, s := range truth {
		g := group{k.from, k.to.file, s.to}
		last[g] = max(last[g], k.to.line)
	}
	out := map[pair]said{}
	for k, s := range truth {
		if s.rule == "overload" && strings.HasSuffix(k.to.file, ".py") && last[group{k.from, k.to.file, s.to}] != k.to.line {
			continue
		}
		out[k] = s
	}
	return out
}
