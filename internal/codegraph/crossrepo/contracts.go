package crossrepo

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// contracts reads the contracts of a repository.
func (f *federation) contracts(ctx context.Context, r *repository) error {
	f.documents(ctx, r)
	return r.declarations(ctx)
}

// documents reads the contracts that are not code.
func (f *federation) documents(ctx context.Context, r *repository) {
	for _, file := range r.listed(func(string) bool { return true }) {
		if k := contractKind(f.kinds, file, r.Contracts); k != nil {
			f.readContract(ctx, r, k, file)
		}
	}
}

// contractKind returns the kind of contract that a file is by its name; nil for none.
func contractKind(of []kind, file string, named []string) *kind {
	for i := range of {
		if k := &of[i]; k.read != nil && k.takes(file, named) {
			return k
		}
	}
	return nil
}

// inTestData reports whether a file is in a folder of test data.
func inTestData(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool {
		return dir == "testdata" || strings.Trim(dir, "_") == "fixtures"
	})
}

// takes reports whether a file is a contract of the kind: by its name and outside test data or, if the
// configuration names the contract files, by its extension.
func (k *kind) takes(file string, named []string) bool {
	if named == nil {
		return matches(file, k.patterns) && !inTestData(file)
	}
	return matches(file, named) && slices.ContainsFunc(k.patterns, func(p string) bool {
		return strings.HasSuffix(file, p[strings.LastIndexByte(p, '.'):])
	})
}

func (f *federation) readContract(ctx context.Context, r *repository, k *kind, file string) {
	data, err := r.readFile(file)
	var symbols []Symbol
	if err == nil {
		symbols, err = k.read(data)
	}
	if err != nil {
		r.warnings = append(r.warnings, message.Sprintf(ctx, "%s of %s is not a contract that can be read: %v", file, r.Name, err))
		return
	}
	if len(symbols) > 0 {
		r.contracts = append(r.contracts, Contract{Path: file, Type: k.name, Symbols: symbols})
	}
}

// declarations adds TypeScript declaration files as contracts. Their uses are found like those of any code.
func (r *repository) declarations(ctx context.Context) error {
	for _, file := range r.files {
		if !isDeclaration(file.Path) || r.Contracts != nil && !matches(file.Path, r.Contracts) {
			continue
		}
		nodes, err := r.nodesOf(ctx, file.Path)
		if err != nil {
			return err
		}
		c := Contract{Path: file.Path, Type: "typescript"}
		for _, n := range nodes {
			if n.Exported && n.Ordinal > 0 {
				c.Symbols = append(c.Symbols, Symbol{Name: n.QualifiedName, Kind: n.Kind, StartLine: n.StartLine, EndLine: n.EndLine, Signature: n.Signature})
			}
		}
		if len(c.Symbols) > 0 {
			r.contracts = append(r.contracts, c)
		}
	}
	return nil
}
