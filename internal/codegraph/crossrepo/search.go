package crossrepo

import (
	"bytes"
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// batch is the number of files whose facts are in memory at once.
const batch = 256

// search finds uses in all files of a repository.
func (f *federation) search(ctx context.Context, r *repository) error {
	if len(f.matchers[r.place]) == 0 && len(f.joint.repoImports[r.place]) == 0 {
		return nil
	}
	for from := 0; from < len(r.files); from += batch {
		if err := f.searchCode(ctx, r, from); err != nil {
			return err
		}
	}
	if err := f.searchDocuments(r); err != nil {
		return err
	}
	f.settle(r)
	return nil
}

// searchCode finds uses in a batch of source files that begins at index from.
func (f *federation) searchCode(ctx context.Context, r *repository, from int) error {
	files := r.files[from:min(from+batch, len(r.files))]
	ids, paths, facts := make([]store.FileID, len(files)), map[store.FileID]string{}, map[store.FileID][]byte{}
	for i, file := range files {
		ids[i], paths[file.ID] = file.ID, file.Path
	}
	err := r.stored.Facts(ctx, ids, func(id store.FileID, data []byte) error {
		facts[id] = bytes.Clone(data)
		return nil
	})
	if err != nil {
		return err
	}
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress.Report(ctx, progress.Event{Stage: "federate", Item: r.Name + "://" + paths[id], Done: from + i + 1, Total: len(r.files)})
		if err := f.searchFile(ctx, r, paths[id], facts[id]); err != nil {
			return err
		}
	}
	return nil
}

func (f *federation) searchFile(ctx context.Context, r *repository, file string, facts []byte) error {
	parsed, err := code.Decode(facts)
	if err != nil {
		return err
	}
	v := &view{joint: f.joint, repo: r, path: file, code: parsed}
	if v.nodes, err = r.nodesOf(ctx, file); err != nil {
		return err
	}
	v.result = f.joint.link(r, file, parsed.Facts)
	if len(f.joint.repoImports[r.place]) > 0 {
		if err := f.code(ctx, v); err != nil {
			return err
		}
	}
	if len(f.matchers[r.place]) == 0 {
		return nil
	}
	v.literals = r.literalsOf(file, parsed.Language, parsed.Generated)
	f.match(v)
	return nil
}

// searchDocuments finds uses in files that are neither code nor contracts.
func (f *federation) searchDocuments(r *repository) error {
	for _, file := range r.listed(func(file string) bool { return isDocument(f.kinds, file) }) {
		data, err := r.readFile(file)
		if err != nil {
			return err
		}
		f.match(&view{joint: f.joint, repo: r, path: file, text: data})
	}
	return nil
}

// isDocument reports whether a file may use contracts, and is no code.
func isDocument(of []kind, file string) bool {
	return slices.ContainsFunc(of, func(k kind) bool { return matches(file, k.documents) })
}

// match keeps the uses found in a file.
func (f *federation) match(v *view) {
	for _, find := range f.matchers[v.repo.place] {
		for _, u := range find.match(v) {
			from := v.at(u.line)
			f.found = append(f.found, found{kind: find.kind, of: u.of.repo, at: u.at, weak: u.weak, edge: store.VirtualEdge{
				SourceSymbol: from.QualifiedName, SourceFile: v.path, SourceLine: u.line, Type: u.typ, Contract: find.kind.name,
				TargetRepo: u.of.repo.Name, TargetRoot: u.of.repo.root(), TargetSymbol: u.of.Name, TargetFile: u.of.contract.Path,
				StartLine: u.of.StartLine, EndLine: u.of.EndLine, Signature: u.of.Signature, Rule: u.rule,
				ExactMatch: u.exact, SignatureSimilarity: u.similarity, ContractBonus: find.kind.strict,
			}})
		}
	}
}
