package adopt

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// plans reads what people wrote when they made the changes that specs came from: in OpenSpec's layout the proposals, designs and tasks
// beside the deltas in changes/, archived or not; in Spec Kit's and Kiro's what is in the folder of the spec.
func (r *run) plans(ctx context.Context, list []*handwritten.Spec) ([]link.Plan, error) {
	var out []link.Plan
	read := map[string]bool{}
	for _, s := range list {
		switch s.Form {
		case handwritten.OpenSpec:
			changes := path.Join(path.Dir(path.Dir(path.Dir(s.Path))), "changes")
			if read[changes] {
				continue
			}
			read[changes] = true
			more, err := r.changes(ctx, changes)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		case handwritten.SpecKit, handwritten.EARS:
			more, err := r.beside(ctx, s)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		case handwritten.Plain:
		}
	}
	return out, ctx.Err()
}

// planned are the documents of a change.
var planned = []string{"proposal.md", "design.md", "tasks.md"}

// changes reads the changes in a folder.
func (r *run) changes(ctx context.Context, folder string) ([]link.Plan, error) {
	l, err := r.listed(ctx, folder)
	if err != nil {
		return nil, err
	}
	of := map[string][]string{}
	var dirs []string
	for _, file := range l {
		dir, rest, ok := strings.Cut(file, "/specs/")
		if !ok || path.Base(rest) != "spec.md" || strings.Count(rest, "/") != 1 {
			continue
		}
		text, err := r.project.ReadUpTo(file, handwritten.MaxSize)
		if err != nil {
			continue
		}
		delta, err := handwritten.Parse(file, text)
		if err != nil {
			continue
		}
		if of[dir] == nil {
			dirs = append(dirs, dir)
		}
		of[dir] = append(of[dir], ids(delta)...)
	}
	var out []link.Plan
	for _, dir := range dirs {
		var text strings.Builder
		for _, name := range planned {
			text.WriteString(r.text(path.Join(dir, name)) + "\n")
		}
		out = append(out, link.Plan{Of: of[dir], Text: text.String()})
	}
	return out, nil
}

// forRequirements matches the line with which Kiro says what a task is for.
var forRequirements = regexp.MustCompile(`(?i)_?requirements?:\s*((?:\d+(?:\.\d+)?(?:\s*,\s*)?)+)_?`)

// task matches the first line of a task.
var task = regexp.MustCompile(`^\s*[-*] \[[ xX~-]\]`)

// beside reads the documents in the folder of a spec. Tasks that say which requirements they are for are plans of these.
func (r *run) beside(ctx context.Context, s *handwritten.Spec) ([]link.Plan, error) {
	l, err := r.listed(ctx, path.Dir(s.Path))
	if err != nil {
		return nil, err
	}
	var out []link.Plan
	for _, file := range l {
		if file == s.Path || path.Dir(file) != path.Dir(s.Path) || strings.ToLower(path.Ext(file)) != ".md" {
			continue
		}
		var rest strings.Builder
		for _, block := range tasks(r.text(file)) {
			if m := forRequirements.FindStringSubmatch(block); m != nil {
				out = append(out, link.Plan{Of: numbered(s, m[1]), Text: block})
			} else {
				rest.WriteString(block)
			}
		}
		out = append(out, link.Plan{Of: ids(s), Text: rest.String()})
	}
	return out, nil
}

// tasks splits a text before each task.
func tasks(text string) []string {
	out := []string{""}
	for line := range strings.Lines(text) {
		if task.MatchString(line) {
			out = append(out, "")
		}
		out[len(out)-1] += line
	}
	return out
}

// numbered returns the ids of the requirements of "1.2, 3".
func numbered(s *handwritten.Spec, numbers string) []string {
	var out []string
	for n := range strings.SplitSeq(numbers, ",") {
		n, _, _ = strings.Cut(strings.TrimSpace(n), ".")
		for i := range s.Requirements {
			if id := s.Requirements[i].ID; strings.HasSuffix(id, "/"+n) && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func ids(s *handwritten.Spec) []string {
	var out []string
	for i := range s.Requirements {
		out = append(out, s.Requirements[i].ID)
	}
	return out
}

// listed returns the files of a folder; none if it is not there.
func (r *run) listed(ctx context.Context, folder string) ([]string, error) {
	l, err := r.project.List(ctx, folder)
	if missing := (*project.MissingError)(nil); errors.As(err, &missing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range l.Files {
		out = append(out, f.Path)
	}
	return out, nil
}

// text returns the text of a file; "" if it cannot be read.
func (r *run) text(file string) string {
	text, err := r.project.ReadUpTo(file, handwritten.MaxSize)
	if err != nil {
		return ""
	}
	return string(text)
}
