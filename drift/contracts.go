package drift

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"

	"github.com/reverse-spec/reverse-spec/drift/contractfile"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// contracts compares the contracts among the files that changed, and returns an item for each change. The texts say which could not be
// compared.
func contracts(ctx context.Context, old, now *project.Project, changed []string) (items []Item, doubts []message.Text, err error) {
	changed = slices.DeleteFunc(slices.Clone(changed), func(name string) bool { return !contractfile.Wanted(name) })
	if len(changed) == 0 {
		return nil, nil, nil
	}
	before, err := contractSide(ctx, old)
	if err != nil {
		return nil, nil, err
	}
	after, err := contractSide(ctx, now)
	if err != nil {
		return nil, nil, err
	}
	known := slices.Concat(before.Files, after.Files)
	changed = slices.DeleteFunc(changed, func(name string) bool { return !slices.Contains(known, name) })
	changes, failures := contractfile.Compare(ctx, before, after, changed)
	for i := range changes {
		items = append(items, contractItem(&changes[i], message.From(ctx), old, now))
	}
	for _, f := range failures {
		doubts = append(doubts, message.New("not compared: %s: %v", f.File, f.Err))
	}
	return items, doubts, ctx.Err()
}

// contractSide lists what may be a contract in a version of a project.
func contractSide(ctx context.Context, p *project.Project) (contractfile.Side, error) {
	l, err := p.List(ctx, ".")
	if err != nil {
		return contractfile.Side{}, err
	}
	return contractfile.Side{Read: p.ReadFile, Files: source.Kept(p, l, contractfile.Wanted)}, nil
}

// contractItem returns the item about a change of a contract.
func contractItem(c *contractfile.Change, lang message.Lang, old, now *project.Project) Item {
	item := Item{
		Rule: c.Rule, Severity: Low, Breaking: !c.Breaks.Empty(), Category: Interface, ChangeType: ChangeType(c.Effect), SymbolName: c.Symbol,
		Location: c.File + ":" + strconv.Itoa(c.Line), OldValue: c.Old, NewValue: c.New, DetectedBy: "structural", Description: c.Words.In(lang),
	}
	switch {
	case item.Breaking && item.ChangeType == Removal:
		item.Severity = High
	case item.Breaking, c.Risky:
		item.Severity = Medium
	}
	if item.Breaking {
		item.Description += message.New(": %v", c.Breaks).In(lang)
	}
	item.complete()
	item.ProposedUpdate = updateContract(c).In(lang)
	side, text := now, &item.Is
	if c.Gone {
		side, text = old, &item.Was
	}
	if data, err := side.ReadFile(c.File); err == nil {
		*text = &Source{Location: item.Location, Text: lineOf(data, c.Line)}
	}
	return item
}

func updateContract(c *contractfile.Change) message.Text {
	if c.Breaks.Empty() {
		return message.New("state it where specs describe `%s`", c.Symbol)
	}
	return message.New("keep the former form beside the new one until its users are gone, or publish it as a new version; state it where specs describe `%s`", c.Symbol)
}

// contracts adds the changes of contracts at paths, files and folders.
func (m *modules) contracts(ctx context.Context, paths, changed []string) error {
	inside := slices.DeleteFunc(slices.Clone(changed), func(file string) bool {
		return !slices.ContainsFunc(paths, func(name string) bool {
			rel, err := m.project.Rel(name)
			return err == nil && (file == rel || isBelow(rel, path.Dir(file)))
		})
	})
	items, doubts, err := contracts(ctx, m.old, m.project, inside)
	m.known = append(m.known, items...)
	for _, t := range doubts {
		m.doubts = append(m.doubts, t.In(m.lang(ctx)))
	}
	return err
}

// hasContract reports whether a path is a contract, or a folder with one, on either side.
func (m *modules) hasContract(ctx context.Context, name string) bool {
	for _, p := range []*project.Project{m.old, m.project} {
		side, err := contractSide(ctx, p)
		if err != nil {
			return false
		}
		if slices.ContainsFunc(side.Files, func(file string) bool { return file == name || isBelow(name, path.Dir(file)) }) {
			return true
		}
	}
	return false
}

// ownContracts compares the contracts of the target since the revision of the baseline: the one that is compared with, or the one that
// the spec was written from. A file belongs to the nearest folder around it that has code.
func (d *detection) ownContracts(ctx context.Context) ([]Item, error) {
	list := []string{d.opts.Base}
	if d.opts.Base == "" {
		list = d.candidates(ctx)
	}
	list = slices.DeleteFunc(list, func(rev string) bool { return rev == "" })
	if d.opts.Old != nil || len(list) == 0 {
		return nil, nil // see [modules.contracts]
	}
	changed, err := d.project.Changed(ctx, list[0])
	if err != nil || !slices.ContainsFunc(changed, contractfile.Wanted) {
		return nil, ctx.Err()
	}
	l, err := d.project.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	folders := source.Folders(d.project, l)
	changed = slices.DeleteFunc(changed, func(file string) bool {
		return file != d.target && nearestFolder(folders, path.Dir(file), d.target) != d.target
	})
	if len(changed) == 0 {
		return nil, nil
	}
	old, err := d.project.At(ctx, list[0])
	if err != nil {
		return nil, nil //nolint:nilerr // the comparison of the code says it
	}
	items, doubts, err := contracts(ctx, old, d.project, changed)
	for _, t := range doubts {
		d.warn(t)
	}
	return items, errors.Join(err, old.Close())
}

// nearestFolder returns the folder with code that a folder is in, or the target if that comes first.
func nearestFolder(folders map[string][]string, dir, target string) string {
	for dir != target && len(folders[dir]) == 0 && dir != "." {
		dir = path.Dir(dir)
	}
	return dir
}
