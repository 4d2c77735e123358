package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// leaveUntouched marks modules whose files are the same as in the base revision as skipped.
func (b *run) leaveUntouched(ctx context.Context) (err error) {
	if b.opts.Base == "" {
		return nil
	}
	base, err := b.project.At(ctx, b.opts.Base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.Close()) }()
	gone, err := b.goneSince(ctx, base)
	if err != nil {
		return err
	}
	for _, m := range b.plan.modules {
		touched, err := m.touchedSince(base)
		if err != nil {
			return err
		}
		if !touched && !gone[m.Path] {
			m.outcome = skipped
		}
	}
	return nil
}

// goneSince returns the folders that lost a file since the base revision.
func (b *run) goneSince(ctx context.Context, base *project.Project) (map[string]bool, error) {
	then, err := base.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	now, err := b.project.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	here := map[string]bool{}
	for _, f := range now.Files {
		here[f.Path] = true
	}
	gone := map[string]bool{}
	for _, f := range then.Files {
		if !here[f.Path] {
			gone[path.Dir(f.Path)] = true
		}
	}
	return gone, nil
}

// touchedSince reports whether one of the module's files differs from base.
func (m *module) touchedSince(base *project.Project) (bool, error) {
	for _, f := range m.files {
		text, err := base.ReadFile(f.Path)
		if _, missing := errors.AsType[*project.MissingError](err); missing {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != f.Hash {
			return true, nil
		}
	}
	return false, nil
}
