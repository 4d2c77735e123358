package crossrepo

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// leastStem is how long the name of a service without "Service" is if it tells which is meant.
const leastStem = 4

// Served returns a function that reports whether code with one of some qualified names may serve the target of an edge by a contract: a function
// called as the operation, or a method called as that of the service, of a type that is called after it.
func Served(names []string) func(e *store.VirtualEdge) bool {
	by := map[string][]string{} // normalised last part -> the parts before it
	for _, name := range names {
		last := lastPart(name)
		owner := lastPart(strings.TrimSuffix(strings.TrimSuffix(name, last), "."))
		by[normalizeName(last)] = append(by[normalizeName(last)], normalizeName(owner))
	}
	return func(e *store.VirtualEdge) bool {
		before, named := by[normalizeName(lastPart(e.TargetSymbol))]
		switch {
		case !named:
		case e.Contract == "openapi":
			return isOperationID(e.TargetSymbol)
		case e.Contract == "proto" && e.Type == store.VirtualCalls:
			service := normalizeName(lastPart(strings.TrimSuffix(e.TargetSymbol, "."+lastPart(e.TargetSymbol))))
			for _, b := range before {
				if stem := strings.TrimSuffix(service, "service"); strings.Contains(b, service) || len(stem) >= leastStem && strings.Contains(b, stem) {
					return true
				}
			}
		}
		return false
	}
}
