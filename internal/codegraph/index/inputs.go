package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// chooseInputs selects the SCIP indexes for this run: those of the options, or those stored with the graph if they
// are unchanged. If they differ from the stored ones, it returns the reason for a full build. G is nil if there is
// no graph.
func (r *run) chooseInputs(ctx context.Context, g store.Graph) (why string, err error) {
	var stored []store.Input
	if g != nil {
		s, err := g.State(ctx)
		if err != nil && !r.opts.Force {
			return "", err
		}
		stored = s.Inputs
	}
	if r.opts.Scip == nil {
		return r.remembered(ctx, stored)
	}
	r.inputs = nil
	for _, name := range r.opts.Scip {
		in, err := inputOf(name)
		if err != nil {
			return "", message.Errorf("the SCIP index cannot be read: %w", err)
		}
		r.inputs = append(r.inputs, in)
	}
	if !slices.EqualFunc(r.inputs, stored, sameInput) {
		why = message.Sprintf(ctx, "other SCIP indexes")
	}
	return why, nil
}

func sameInput(a, b store.Input) bool {
	return a.Path == b.Path && a.Hash == b.Hash && a.ModTime.Equal(b.ModTime)
}

// remembered returns the stored inputs if all of them are unchanged, else none.
func (r *run) remembered(ctx context.Context, stored []store.Input) (why string, err error) {
	for _, in := range stored {
		now, err := unchanged(in)
		if err == nil && now {
			continue
		}
		text := message.New("the SCIP index %s has changed and is no longer used: name it again with index --scip", in.Path)
		if err != nil {
			text = message.New("the SCIP index %s cannot be read and is no longer used: name it again with index --scip", in.Path)
		}
		r.sum.Warnings = append(r.sum.Warnings, text.In(message.From(ctx)))
		why = message.Sprintf(ctx, "a SCIP index is gone")
	}
	if why == "" {
		r.inputs = stored
	}
	return why, nil
}

// unchanged reports whether a file is unchanged, by its size and time, else by its content.
func unchanged(in store.Input) (bool, error) {
	info, err := os.Stat(in.Path)
	if err != nil {
		return false, err
	}
	if info.Size() == in.Size && info.ModTime().Equal(in.ModTime) {
		return true, nil
	}
	now, err := inputOf(in.Path)
	return err == nil && now.Hash == in.Hash, err
}

// countsFor reports whether an input covers a file, that is, whether the file was not changed after it was written.
func countsFor(in store.Input, written time.Time) bool { return !written.After(in.ModTime) }

// inputOf returns the current state of a file.
func inputOf(name string) (in store.Input, err error) {
	if in.Path, err = filepath.Abs(name); err != nil {
		return in, err
	}
	f, err := scip.Open(in.Path)
	if err != nil {
		return in, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return in, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return in, message.Errorf("read %s: %w", in.Path, err)
	}
	in.Size, in.ModTime, in.Hash = info.Size(), info.ModTime().UTC(), hex.EncodeToString(h.Sum(nil))
	return in, nil
}
