package adopt

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// save writes the locks of the specs for which something was decided; with Yes also those of which the code or the text changed. What
// the code does now is what it is compared with later.
func (r *run) save(ctx context.Context) error {
	for i := range r.out.Specs {
		s := &r.out.Specs[i]
		known := r.known[s.Path]
		if !r.touched[s.Path] && (!r.opts.Yes || known == nil) {
			continue
		}
		l, err := r.lockOf(ctx, s)
		if err != nil {
			return err
		}
		if known != nil && bytes.Equal(known.Lock.Encode(), l.Encode()) {
			continue
		}
		if err := (&adopted.Spec{Path: s.Path, Lock: l}).Save(r.project); err != nil {
			return err
		}
		s.Adopted = true
		r.out.Written = append(r.out.Written, s.Lock)
	}
	return nil
}

// lockOf returns the lock of a spec: its decided links, its requirements that have any, and the code of the accepted ones. Links of
// requirements that the spec does not have any more stay until the spec is adopted anew.
func (r *run) lockOf(ctx context.Context, s *Spec) (*lock.Lock, error) {
	l := &lock.Lock{Generator: spec.Generator, SpecID: string(s.Form)}
	for i := range s.Requirements {
		q := &s.Requirements[i]
		n := len(l.Links)
		for _, k := range q.Links {
			if k.State != Proposed {
				l.Links = append(l.Links, k.link)
			}
		}
		if len(l.Links) > n {
			l.Requirements = append(l.Requirements, lock.Requirement{ID: q.ID, Title: q.Title, Hash: adopted.Hash(&q.Requirement)})
		}
	}
	if known := r.known[s.Path]; known != nil {
		for _, id := range s.Gone {
			for _, k := range known.Lock.Requirements {
				if k.ID == id {
					l.Requirements = append(l.Requirements, k)
				}
			}
			for _, k := range known.Lock.Links {
				if k.Requirement == id {
					l.Links = append(l.Links, k)
				}
			}
		}
	}
	lock.SortLinks(l.Links)
	slices.SortFunc(l.Requirements, func(a, b lock.Requirement) int { return strings.Compare(a.ID, b.ID) })
	var err error
	l.Skeleton, l.Claims, err = r.baseline(ctx, l.Links)
	l.Skeleton.FilePath = s.Path
	return l, err
}

// surface reads what a folder declares and does, once.
func (r *run) surface(ctx context.Context, folder string) (drift.Surface, error) {
	if s, known := r.surfaces[folder]; known {
		return s, nil
	}
	s, err := drift.Read(progress.With(ctx, func(progress.Event) {}), r.project, folder, source.Folder, r.opts.Now)
	if err == nil {
		r.surfaces[folder] = s
	}
	return s, err
}

// baseline reads what the code that is linked declares and does.
func (r *run) baseline(ctx context.Context, links []lock.Link) (out code.Skeleton, claims []lock.Claim, err error) {
	out.Exports, out.Imports, out.ParserUsed = []code.Symbol{}, []code.Import{}, "adopt"
	folders := map[string]bool{}
	for _, k := range links {
		if !k.Test && !k.Rejected {
			folders[path.Dir(k.File)] = true
		}
	}
	wanted := func(file, name string) bool {
		return slices.ContainsFunc(links, func(k lock.Link) bool {
			return !k.Test && !k.Rejected && k.File == file && k.Symbol == name
		})
	}
	for _, folder := range sortedKeys(folders) {
		s, err := r.surface(ctx, folder)
		if err != nil {
			return out, nil, err
		}
		part := drift.Linked(s, wanted)
		out.Exports, out.Internals = append(out.Exports, part.Exports...), append(out.Internals, part.Internals...)
		out.Variants, out.Files = append(out.Variants, part.Variants...), append(out.Files, part.Files...)
		if out.Language == "" {
			out.Language = part.Language
		}
		claims = append(claims, part.Claims...)
	}
	return out, claims, nil
}

func sortedKeys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// linked is the code that requirements are linked to.
type linked struct {
	folders, files, symbols map[string]bool
	said                    map[string]string // what the requirements of a file say
	all                     string            // what all requirements say
}

// linked returns what is linked, or would be with the links that are certain enough.
func (r *run) linked() *linked {
	out := &linked{folders: map[string]bool{}, files: map[string]bool{}, symbols: map[string]bool{}, said: map[string]string{}}
	var all strings.Builder
	for i := range r.out.Specs {
		for _, q := range r.out.Specs[i].Requirements {
			all.WriteString(q.Words() + "\n")
			for _, l := range q.Links {
				if l.Test || l.State != Accepted && (l.State != Proposed || l.Confidence < r.opts.MinConfidence) {
					continue
				}
				file := l.link.File
				out.folders[path.Dir(file)], out.files[file] = true, true
				out.symbols[file+"#"+l.Symbol] = true
				out.said[file] += "\n" + q.Words()
			}
		}
	}
	out.all = link.Flat(all.String())
	return out
}

// has reports whether a requirement is linked to what a claim is about: the declaration, or one around it; of the statements of a
// file, what a requirement names; and what users give a program, such as an option, if any requirement says it.
func (l *linked) has(c *spec.RecordedClaim) bool {
	file := c.At[0].File
	for name := c.Subject; name != ""; name = owner(name) {
		if l.symbols[file+"#"+name] {
			return true
		}
	}
	if drift.IsGiven(c.Kind) && link.Count(l.all, strings.ToLower(c.Name)) > 0 {
		return true
	}
	return c.Subject == "" && c.Name != "" && strings.Contains(l.said[file], c.Name)
}

// helpOption is the option that libraries add to every command.
const helpOption = "--help"

// unspecified finds what linked files do that no requirement is linked to.
func (r *run) unspecified(ctx context.Context) error {
	all := r.linked()
	for _, folder := range sortedKeys(all.folders) {
		s, err := r.surface(ctx, folder)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.warn(message.New("%s: %v", folder, err))
			continue
		}
		for i := range s.Claims {
			c := &s.Claims[i]
			if !drift.IsBehaviour(c.Kind) || len(c.At) == 0 || !all.files[c.At[0].File] || c.Name == helpOption || all.has(c) {
				continue
			}
			r.out.Unspecified = append(r.out.Unspecified, Unspecified{Place: placeOf(c.At[0].File, c.At[0].Line), Symbol: c.Subject, Says: spec.Say(&c.Claim, string(r.out.Lang))})
		}
	}
	return nil
}

// owner returns the name of what a declaration is a member of; "" for none.
func owner(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return name[:i]
}

func placeOf(file string, line int) string { return file + ":" + strconv.Itoa(line) }
