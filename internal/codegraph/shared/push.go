package shared

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// PushOptions configure [Push].
type PushOptions struct {
	Name    string // of the project; "" for the remote repository's
	Replace bool   // push an older commit, and another branch, too
	Getenv  func(string) string
	Index   index.Options
	// Documents returns the texts that are pushed with the graph, by path: the project's specs and their histories. Known are those that
	// were pushed before. Nil for none.
	Documents func(ctx context.Context, p *project.Project, known map[string][]byte) (map[string][]byte, error)
	// Patience is how long a push is tried again while the store cannot be reached or is restarted; 0 for not at all.
	// Retrying is called before each wait; nil for nothing.
	Patience time.Duration
	Retrying func(why error, wait time.Duration)
}

// Pushed says what a push did.
type Pushed struct {
	*index.Summary
	Key    string `json:"key"`
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit"`
	// Newer is set if nothing was pushed, because the shared graph is of this newer commit.
	Newer string `json:"newer,omitempty"`
}

// errNewer says that what is stored is newer.
var errNewer = message.Errorf("the shared graph is of a newer commit")

// Push brings the shared graph of a project to the commit that is checked out. An older commit than that of the graph
// changes nothing.
func Push(ctx context.Context, p *project.Project, s store.Shared, opts PushOptions) (*Pushed, error) {
	o, err := OriginOf(ctx, p, opts.Name, opts.Getenv)
	if err != nil {
		return nil, message.Errorf("push %s: %w", p.Root(), err)
	}
	changed, err := p.Uncommitted(ctx)
	if err != nil {
		return nil, message.Errorf("push %s: %w", p.Root(), err)
	}
	if len(changed) > 0 {
		return nil, message.Errorf("push %s: %w", p.Root(), &UncommittedError{changed})
	}
	var found store.Origin
	accept := func(old store.Origin) error {
		found = old
		if opts.Replace {
			return nil
		}
		return mayFollow(ctx, p, old, o)
	}
	to := s.For(o, accept)
	sum, err := index.Run(ctx, p, to, opts.Index)
	if err == nil && sum.Mode == index.Unchanged {
		err = record(ctx, p, s, to, o, opts.Index.Wait)
	}
	if errors.Is(err, errNewer) {
		return &Pushed{Key: o.Key, Branch: o.Branch, Commit: o.Commit, Newer: found.Commit}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Pushed{Summary: sum, Key: o.Key, Branch: o.Branch, Commit: o.Commit}, nil
}

// record records a commit that changes nothing of the graph, unless a newer one was pushed meanwhile.
func record(ctx context.Context, p *project.Project, s store.Shared, to store.Store, o store.Origin, wait time.Duration) error {
	release, err := index.Lock(ctx, to, p.Root(), wait)
	if err != nil {
		return message.Errorf("push %s: %w", p.Root(), err)
	}
	return errors.Join(s.Record(ctx, o), release())
}

// mayFollow returns an error if a commit must not replace that of a graph. Where git does not know both, as in a shallow
// clone, the times of the commits decide.
func mayFollow(ctx context.Context, p *project.Project, old, new store.Origin) error {
	if old.Branch != "" && new.Branch != "" && old.Branch != new.Branch {
		return &BranchError{Key: new.Key, Stored: old.Branch, Pushed: new.Branch}
	}
	if old.Commit == "" || old.Commit == new.Commit {
		return nil
	}
	switch {
	case p.IsAncestor(ctx, old.Commit, new.Commit):
		return nil
	case p.IsAncestor(ctx, new.Commit, old.Commit), new.Committed.Before(old.Committed):
		return errNewer
	}
	return nil
}

// UncommittedError says that a folder is not as it is in its commit.
type UncommittedError struct{ Files []string }

func (e *UncommittedError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *UncommittedError) In(lang message.Lang) string {
	const most = 3
	names := strings.Join(e.Files[:min(most, len(e.Files))], ", ")
	return message.New("%s not committed (%s), and the shared graph is of commits", message.Count(len(e.Files), "%d change is", "%d changes are"), names).In(lang)
}

// Hint says what to do.
func (e *UncommittedError) Hint() message.Text {
	return message.New("commit, stash or ignore them, or index without --push for the graph of this folder")
}

// BranchError says that the shared graph is of another branch.
type BranchError struct{ Key, Stored, Pushed string }

func (e *BranchError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *BranchError) In(lang message.Lang) string {
	return message.New("the shared graph of %s is of branch %s, and this is branch %s", e.Key, e.Stored, e.Pushed).In(lang)
}

// Hint says what to do.
func (e *BranchError) Hint() message.Text {
	return message.New("push %s only; or --name gives this branch a project of its own, and --replace the place of the other", e.Stored)
}
