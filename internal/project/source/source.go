// Package source reads and parses the source files of a project. [Read] returns the [Tree] of a target: it lists
// files with package project and parses them with package lang.
package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/redact"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// What [Read] reads of files for a purpose.
const (
	ForSpec  = lang.All | lang.Whole
	ForBatch = lang.Facts | lang.Hashes // [Services.Related] reads the rest, of one module after the other
)

// Options configure [Read].
type Options struct {
	Workers int        // number of files parsed concurrently; 0 for the number of processors
	Scope   Scope      // which files below a folder to read
	Parts   lang.Parts // what is read of the files; 0 for [lang.All]
	Pack    bool       // keep facts packed, for a whole project; see [code.File.Pack]
	// Without reports whether a file is left out, as if it were not there; nil for none.
	Without func(file string) bool
}

// Tree is the parsed source files of a target.
type Tree struct {
	Target   string // relative to the project's root, with links resolved
	Scope    Scope  // File, Folder or Everything
	Files    []*code.File
	Skipped  project.Skipped
	Warnings []string // of the listing
	// Tests are tests of the target that are outside it. They, Visitors, Helpers and Links are set by [Tree.ReadRelated].
	Tests []*code.File
	// Visitors are the paths of those of Tests that are tests of something else.
	Visitors map[string]bool
	// Helpers are test files that Tests, and the tests among Files, may use, and that are not among these.
	Helpers []*code.File
	// Links are what the names in Files and Tests mean.
	Links *resolve.Links
	// Endpoints are what the web service answers that the target is a part of; nil if it is none.
	Endpoints []service.Endpoint
	// Commands are those of the program that the target declares; nil if it declares none.
	Commands []*program.Command
	// Settings are the configuration files around the target.
	Settings []service.ConfigurationFile
	// Sharing are files of other modules that may share settings with the target, with whole bodies.
	Sharing []*code.File
}

// Read parses the source files below target, a folder or file of p. Files are sorted by path. A file that its
// language cannot parse at all has a parse error and no symbols; binary, too large and unreadable files are counted
// in Skipped. Progress is reported as the stage "parse". Secrets are redacted in all texts of a file, because these
// go into specs and to models; Redactions lists them.
//
// Errors are those of [project.Project.List]; an [*UnknownTypeError] for a file in an unsupported language; for a
// file, the reason why it cannot be read, such as an [*UnparsedError] for a binary one; an [*EmptyError] for a
// folder without source files; and that of the context.
func Read(ctx context.Context, p *project.Project, target string, opts Options) (*Tree, error) {
	return read(ctx, p, target, opts, lang.Parse)
}

// ReadListed is like [Read] for files that were already listed.
func ReadListed(ctx context.Context, p *project.Project, l *project.Listing, opts Options) (*Tree, error) {
	return readListed(ctx, p, l, opts, lang.Parse)
}

func read(ctx context.Context, p *project.Project, target string, opts Options, parse parser) (*Tree, error) {
	l, err := p.List(ctx, target)
	if err != nil {
		return nil, err
	}
	t, err := readListed(ctx, p, l, opts, parse)
	if unknown := (*UnknownTypeError)(nil); errors.As(err, &unknown) {
		unknown.Path = target
	}
	if empty := (*EmptyError)(nil); errors.As(err, &empty) {
		empty.Target = target
	}
	return t, err
}

func readListed(ctx context.Context, p *project.Project, l *project.Listing, opts Options, parse parser) (*Tree, error) {
	files, scope := scoped(l, opts.Scope)
	if opts.Without != nil {
		files = slices.DeleteFunc(slices.Clone(files), func(f project.Entry) bool { return opts.Without(f.Path) })
	}
	listed := *l
	listed.Files, l = files, &listed
	t := &Tree{Target: l.Target, Scope: scope, Skipped: l.Skipped, Warnings: l.Warnings}
	known := t.known(l.Files)
	if l.File && len(known) == 0 {
		return nil, &UnknownTypeError{Path: l.Target}
	}
	r := &reader{Parser: &Parser{p, parse, cmp.Or(opts.Parts, lang.All), opts.Pack, newVendored(p, l)}, files: known, results: make([]result, len(known))}
	if err := r.run(ctx, cmp.Or(opts.Workers, runtime.GOMAXPROCS(0))); err != nil {
		return nil, err
	}
	for _, res := range r.results {
		switch {
		case res.file != nil:
			t.Files = append(t.Files, res.file)
		case l.File:
			return nil, asUnparsed(l.Target, res.err)
		default:
			Count(&t.Skipped, res.err)
		}
	}
	if len(t.Files) == 0 {
		return nil, &EmptyError{Target: l.Target, Scope: scope, Skipped: t.Skipped}
	}
	return t, nil
}

// maxTypes is the maximum number of unknown file types listed.
const maxTypes = 8

// known returns the files in supported languages, and counts the others.
func (t *Tree) known(files []project.Entry) []project.Entry {
	types := map[string]int{}
	files = slices.DeleteFunc(slices.Clone(files), func(f project.Entry) bool {
		_, ok := lang.ByPath(f.Path)
		if !ok && !written(f.Path) {
			types[fileType(f.Path)]++
			t.Skipped.Unknown++
		}
		return !ok
	})
	for _, ext := range slices.SortedFunc(maps.Keys(types), func(a, b string) int {
		return cmp.Or(cmp.Compare(types[b], types[a]), cmp.Compare(a, b))
	}) {
		if len(t.Skipped.UnknownTypes) == maxTypes {
			break
		}
		t.Skipped.UnknownTypes = append(t.Skipped.UnknownTypes, project.TypeCount{Extension: ext, Files: types[ext]})
	}
	return files
}

// written reports whether files with a name are written by this program, and so are not sources.
func written(file string) bool {
	name := path.Base(file)
	for _, pattern := range []string{
		"*.spec.md", "batch-summary-*.md", "*-drift-????-??-??*.md", ".reverse-spec-checkpoint.json", ".reverse-spec-batch.lock", ".reverse-spec.*",
	} {
		if ok, _ := path.Match(pattern, name); ok { // the patterns are valid
			return true
		}
	}
	return path.Ext(file) == ".jsonl" && strings.Contains("/"+file, "/.lock/")
}

// redactFile redacts the secrets of a file in its parse result. Hashes are those of the original file, so that a changed
// secret is a change.
func redactFile(f *code.File, text []byte) {
	cleaner, found := redact.NewCleaner(string(text), redact.Hints{Path: f.Path})
	cleaner.Strings(f)
	for _, d := range found {
		f.Redactions = append(f.Redactions, code.Redaction{Type: d.Type, Line: d.Line, Confidence: string(d.Confidence)})
	}
}

// fileType returns a file's extension in lower case, or its name if it has none.
func fileType(file string) string {
	return cmp.Or(strings.ToLower(path.Ext(file)), path.Base(file))
}

// errBinary is returned for a file with a NUL byte at its start.
var errBinary = message.Errorf("binary file")

// Count counts a file that could not be read, by reason.
func Count(s *project.Skipped, reason error) {
	large := (*project.TooLargeError)(nil)
	switch {
	case errors.Is(reason, errBinary):
		s.Binary++
	case errors.As(reason, &large):
		s.TooLarge++
	default:
		s.Unreadable++
	}
}

// reader parses files concurrently.
type reader struct {
	*Parser
	files   []project.Entry
	results []result // parallel to files
	next    atomic.Int64
	done    atomic.Int64
}

// result is a parsed file or an error.
type result struct {
	file *code.File
	err  error
}

// run sets the results. The error is that of the context.
func (r *reader) run(ctx context.Context, workers int) error {
	var wg sync.WaitGroup
	for range min(max(workers, 1), len(r.files)) {
		wg.Go(func() { r.work(ctx) })
	}
	wg.Wait()
	return ctx.Err()
}

// work parses files until none is left.
func (r *reader) work(ctx context.Context) {
	for ctx.Err() == nil {
		i := int(r.next.Add(1)) - 1
		if i >= len(r.files) {
			return
		}
		name := r.files[i].Path
		file, err := r.clean(ctx, name)
		r.results[i] = result{file, err}
		progress.Report(ctx, progress.Event{Stage: "parse", Item: name, Done: int(r.done.Add(1)), Total: len(r.files)})
	}
}

// clean returns a parsed file without secrets, remembered if the context remembers.
func (r *reader) clean(ctx context.Context, name string) (*code.File, error) {
	read := func() (*code.File, error) {
		file, text, err := r.File(ctx, name)
		if err == nil {
			redactFile(file, text)
		}
		return file, err
	}
	m := memoryOf(ctx)
	if m == nil {
		return read()
	}
	text, err := r.project.ReadFile(name)
	if err != nil {
		return nil, err
	}
	key := &remembered{name: name, sum: sha256.Sum256(text), parts: r.parts, pack: r.pack, vendored: r.vendored.is(name)}
	return m.parsed(key, len(text), read)
}

// Redacted returns the text of a file without secrets.
func Redacted(file string, text []byte) []byte {
	clean, _ := redact.Text(string(text), redact.Hints{Path: file})
	return []byte(clean)
}
