package index

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// chooseSources selects the project's own files in supported languages, once, and names their modules.
func (r *run) chooseSources(ctx context.Context) {
	if r.parser != nil {
		return
	}
	r.parser = source.NewParser(r.project, r.listing)
	for _, f := range r.listing.Files {
		switch _, known := lang.ByPath(f.Path); {
		case !known:
			r.sum.Skipped.Unknown++
		case r.parser.Vendored(f.Path):
			r.sum.Vendored++
		default:
			r.sources = append(r.sources, f)
		}
	}
	if len(r.sources) == 0 {
		r.sum.Warnings = append(r.sum.Warnings,
			message.Sprintf(ctx, "there is no source file to index: none that a language reads, or ignore rules leave all out"))
	}
	r.names = moduleNames(r.name, r.sources)
}

// moduleNames returns the qualified name of each source file's module: the project, the folders, and the file
// without its extension, joined by dots. The extension is kept, as in core_h, if a folder or an earlier file of the
// folder has the same name.
func moduleNames(project string, files []project.Entry) map[string]string {
	folders := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	names, taken := make(map[string]string, len(files)), map[string]bool{}
	for _, f := range files {
		bare := strings.TrimSuffix(f.Path, path.Ext(f.Path))
		if base := path.Base(f.Path); bare == path.Dir(f.Path)+"/" || strings.HasPrefix(base, ".") {
			bare = f.Path
		}
		if folders[bare] || taken[bare] {
			bare = strings.ReplaceAll(f.Path, ".", "_")
		}
		for taken[bare] {
			bare += "_"
		}
		taken[bare] = true
		names[f.Path] = dotted(project, bare)
	}
	return names
}

// dotted joins the project's name and a path with dots.
func dotted(project, p string) string {
	if p == "." {
		return project
	}
	return project + "." + strings.ReplaceAll(p, "/", ".")
}

// parsed is the result of parsing a file.
type parsed struct {
	entry   project.Entry
	file    *code.File
	symbols []resolve.Symbol
	facts   []byte
	words   []byte
	err     error
}

// parse parses files concurrently and passes the results to take in order.
func (r *run) parse(ctx context.Context, files []project.Entry, take func(parsed) error) error {
	return inOrder(ctx, r.opts.Workers, len(files), func(i int) parsed {
		p := parsed{entry: files[i]}
		var text []byte
		if p.file, text, p.err = r.parser.File(ctx, files[i].Path); p.err == nil {
			p.facts, p.symbols = code.Encode(p.file), resolve.Symbols(p.file)
			p.words = wordsOf(text, p.symbols)
		}
		return p
	}, func(i int, p parsed) error {
		if ctx.Err() != nil { // p may lack a file because of the context alone
			return ctx.Err()
		}
		progress.Report(ctx, progress.Event{Stage: "parse", Item: files[i].Path, Done: i + 1, Total: len(files)})
		r.warnUnread(ctx, p.file)
		return take(p)
	})
}

// maxUnread is the number of unread files that are listed.
const maxUnread = 10

// warnUnread warns if a file was not read.
func (r *run) warnUnread(ctx context.Context, f *code.File) {
	if f == nil || r.unreadCount == maxUnread {
		return
	}
	if reason := source.Unread(f); reason != "" {
		r.unreadCount++
		r.sum.Warnings = append(r.sum.Warnings, message.Sprintf(ctx, "%s was not read: %s", f.Path, message.Translate(message.From(ctx), reason)))
	}
}

// wordsOf returns the encoded words of a file's text, grouped by enclosing symbol.
func wordsOf(text []byte, symbols []resolve.Symbol) []byte {
	spans := make([]words.Span, len(symbols))
	for i, s := range symbols {
		spans[i] = words.Span{Start: s.StartLine, End: s.EndLine}
	}
	return words.Encode(text, spans)
}

// inOrder runs do for 0..n-1 concurrently and passes the results to take in order. The error is that of take or of
// the context.
func inOrder[T any](ctx context.Context, workers, n int, do func(i int) T, take func(i int, t T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type job struct {
		i    int
		done chan T
	}
	jobs, line := make(chan job), make(chan job, 4*workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.done <- do(j.i)
			}
		})
	}
	go func() {
		defer close(line)
		defer close(jobs)
		for i := range n {
			j := job{i, make(chan T, 1)}
			select {
			case line <- j:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer wg.Wait()
	defer cancel()
	for range n {
		select {
		case j := <-line:
			select {
			case t := <-j.done:
				if err := take(j.i, t); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// manifests reads the project's manifests. One that cannot be read gives a warning.
func (r *run) manifests(ctx context.Context) *manifest.Manifests {
	var paths []string
	for _, f := range r.listing.Files {
		if manifest.IsManifest(f.Path) && !r.parser.Vendored(f.Path) {
			paths = append(paths, f.Path)
		}
	}
	m, err := manifest.Read(paths, func(name string) ([]byte, error) {
		data, err := r.project.ReadFile(name)
		if _, missing := err.(*project.MissingError); missing { //nolint:errorlint // as ReadFile returns it
			return nil, fs.ErrNotExist
		}
		return data, err
	})
	if err != nil {
		r.sum.Warnings = append(r.sum.Warnings, message.Render(message.From(ctx), err))
	}
	return m
}
