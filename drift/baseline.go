package drift

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// errNoBaseline is returned for a spec without any signature.
var errNoBaseline = message.Errorf("the spec has no lock and shows no signature to rebuild a baseline from; generate it again")

// baseline returns the surface to compare with: of the target in a revision, as recorded in the
// spec's lock, of the commit that the spec was written from, or rebuilt from the spec's text.
func (d *detection) baseline(ctx context.Context) (Surface, error) {
	if d.opts.Base != "" {
		return d.revision(ctx)
	}
	missing, err := d.readLock()
	if err != nil {
		return Surface{}, err
	}
	if d.spec.Baseline != nil {
		return d.recorded(ctx), nil
	}
	if d.spec.Front.SkeletonHash != "" { // not of a spec that was written by hand
		s, commit, err := d.committed(ctx)
		if err != nil {
			return Surface{}, err
		}
		if commit != "" {
			d.warn(message.New("%v; the baseline was read from commit %.12s", missing, commit))
			return d.part(s), nil
		}
		d.warn(message.New("%v; no commit has the code that the spec was written from; generate it again: reverse-spec generate %s",
			missing, d.spec.Front.SourceTarget))
	}
	return d.reconstructed()
}

// readLock reads the lock of the spec. The text says why there is none; it is empty if there is
// one. The error is that of a lock that cannot be read.
func (d *detection) readLock() (missing message.Text, err error) {
	err = d.spec.ReadLock(d.project, d.report.SpecPath)
	file := spec.LockPath(d.report.SpecPath, d.spec.Front.SourceTarget)
	switch {
	case err == nil:
		return message.Text{}, nil
	case errors.Is(err, fs.ErrNotExist):
		return message.New("the spec has no lock (%s)", file), nil
	case errors.Is(err, spec.ErrStale):
		return message.New("the lock %s was written from other code than the spec", file), nil
	}
	return message.Text{}, err
}

// part returns the part of a surface of the spec's target that is compared. The claims of a part
// are unknown.
func (d *detection) part(s Surface) Surface {
	s.Skeleton = within(s.Skeleton, d.target)
	if path.Clean(s.FilePath) != d.target {
		s.Claims = nil
	}
	return s
}

// recorded returns the surface that the lock has. Its texts are those of a commit that has the files that the lock is of.
func (d *detection) recorded(ctx context.Context) Surface {
	hashes := map[string]string{}
	for _, f := range d.spec.Baseline.Files {
		hashes[f.Path] = f.Hash
	}
	s := Surface{Skeleton: *d.spec.Baseline, Claims: d.spec.Claims}
	s.text = func(file string) []byte { return d.commits.read(ctx, file, hashes[file]) }
	return d.part(s)
}

// candidates returns the commits that may have the code that the spec was written from.
func (d *detection) candidates(ctx context.Context) []string {
	if d.spec == nil {
		return nil
	}
	return slices.Compact([]string{d.spec.Front.SourceCommit, d.project.LastCommit(ctx, d.report.SpecPath)})
}

// committed returns the surface of the spec's target in the commit that has the code that the
// spec was written from: the one that the spec names, or the one that last changed the spec. The
// commit is "" if neither has it.
func (d *detection) committed(ctx context.Context) (s Surface, commit string, err error) {
	for _, commit := range d.candidates(ctx) {
		if commit == "" {
			continue
		}
		s, err := d.readAt(ctx, commit)
		if ctx.Err() != nil {
			return Surface{}, "", ctx.Err()
		}
		if err == nil && s.Hash == d.spec.Front.SkeletonHash {
			for i := range s.Claims {
				s.Claims[i].At = nil // a lock has no places either: items are reported where the code is now
			}
			return s, commit, nil
		}
	}
	return Surface{}, "", nil
}

// readAt reads the spec's target in a commit.
func (d *detection) readAt(ctx context.Context, commit string) (s Surface, err error) {
	old, err := d.project.At(ctx, commit)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	return d.read(ctx, old, d.spec.Front.SourceTarget)
}

func (d *detection) revision(ctx context.Context) (s Surface, err error) {
	old := d.opts.Old
	if old == nil {
		if old, err = d.project.At(ctx, d.opts.Base); err != nil {
			return s, err
		}
		d.commits.opened = append(d.commits.opened, old)
	}
	d.report.SpecPath, d.report.SpecVersion = "git:"+d.opts.Base, old.Revision()
	s, err = d.read(ctx, old, d.target)
	s.text = func(file string) []byte {
		text, err := old.ReadFile(file)
		if err != nil {
			return nil
		}
		return text
	}
	return s, err
}

// reconstructed returns the surface that the interface section of the spec shows.
func (d *detection) reconstructed() (Surface, error) {
	base, ok := d.spec.Reconstructed()
	if !ok {
		return Surface{}, message.Errorf("%s: %w", d.report.SpecPath, errNoBaseline)
	}
	base.ParserUsed = Reconstructed
	d.warn(message.New("[unclear: the spec has no baseline; it was rebuilt from the headings of the interface section, " +
		"and only the texts of signatures are compared]"))
	return Surface{Skeleton: base}, nil
}
