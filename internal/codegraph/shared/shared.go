// Package shared opens the store that an organisation shares, and pushes projects to it.
//
// What a machine has of a project is in its own files; the shared store holds repositories at commits, which CI
// indexes. So nobody's unfinished work gets into it.
package shared

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Variable is the environment variable with the address of the shared store.
const Variable = "REVERSE_SPEC_STORE"

// kinds opens a store by the scheme of its address. The cache is a folder for files derived from its graphs.
func kinds() map[string]func(address, cache string) (store.Shared, error) {
	return map[string]func(address, cache string) (store.Shared, error){
		"postgres": openPostgres, "postgresql": openPostgres,
	}
}

func openPostgres(address, cache string) (store.Shared, error) {
	s, err := postgres.Open(address, postgres.Options{Cache: cache})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Open opens the shared store at an address. The error does not contain the address, which may contain a password.
func Open(address, cache string) (store.Shared, error) {
	scheme, _, _ := strings.Cut(address, ":")
	if open := kinds()[scheme]; open != nil {
		s, err := open(address, cache)
		if err != nil {
			return nil, message.Errorf("%s: %w", Variable, err)
		}
		return s, nil
	}
	known := strings.Join(slices.Sorted(maps.Keys(kinds())), ", ")
	return nil, message.Errorf("%s is not the address of a store that is known: it begins with one of %s, followed by ://", Variable, known)
}
