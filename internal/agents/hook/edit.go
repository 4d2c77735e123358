package hook

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// The default time limits of [PostEdit].
const (
	EditBudget = 85 * time.Millisecond // for the spec that the file belongs to
	// DemandsBudget is for the requirements that people wrote and linked to the file: their code is read at two revisions. Files
	// without such requirements need none of it.
	DemandsBudget = 500 * time.Millisecond
)

// PostEdit reports, after an edit, which spec a file belongs to and whether its interface
// changed, and which requirements that people wrote it contradicts or touches; "" for a file without either. file is absolute
// or relative to the project; budget limits each of both, 0 for the defaults. The error is that of a path outside the project.
func PostEdit(ctx context.Context, p *project.Project, file string, budget time.Duration) (string, error) {
	rel, err := p.Rel(file)
	if err != nil {
		return "", err
	}
	ctx = source.Remembering(ctx) // the page and the adopted specs read the same files
	within := func(limit time.Duration, report func(context.Context, *project.Project, string) string) string {
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(budget, limit))
		defer cancel()
		return report(ctx, p, rel)
	}
	return strings.TrimSpace(within(EditBudget, pageEdited) + "\n" + within(DemandsBudget, demandsOn)), nil
}

// pageEdited reports what an edit means for the page that a file belongs to; "" for none.
func pageEdited(ctx context.Context, p *project.Project, rel string) string {
	name, front, ok := specOf(p, rel)
	if !ok {
		return ""
	}
	items, err := changesIn(ctx, p, name, front, rel)
	known := slices.Contains(front.RelatedFiles, rel)
	switch {
	case len(items) > 0:
	case !known: // not source code, or no change
		return ""
	case err != nil:
		return message.Sprintf(ctx, "reverse-spec: %s belongs to %s; it was not compared.", rel, name)
	default:
		return message.Sprintf(ctx, "reverse-spec: %s belongs to %s; its interface is as the spec says.", rel, name)
	}
	text := message.Sprintf(ctx, "reverse-spec: %s belongs to %s; %v. If this is intended, regenerate the spec (generate %s).",
		rel, name, differences(items), front.SourceTarget)
	if list := untrue(items); len(list) > 0 {
		text += " " + message.Sprintf(ctx, "No longer true: %v; diff --update rewrites these alone.", naming(list, mostItems))
	}
	return text + " " + message.Sprintf(ctx, "review says what the change breaks and which tests to run.")
}

// demandsOn reports which requirements that people wrote an edit contradicts or touches; "" for a file that none is linked to, or
// where nothing changed.
func demandsOn(ctx context.Context, p *project.Project, file string) string {
	specs, err := adopted.LinkedTo(ctx, p, file)
	if err != nil {
		return ""
	}
	o := drift.Options{Source: file, NoReport: true, Brief: true}.Sharing(p)
	var contradicted, touched, late []any
	for _, s := range specs {
		o.Spec = s.Path
		r, err := detect(ctx, p, o)
		if err != nil {
			late = append(late, s.Path)
			continue
		}
		for i := range r.Items {
			contradicted = withDemands(contradicted, r.Items[i].Statements)
			touched = withDemands(touched, r.Items[i].Related)
		}
	}
	var parts []message.Text
	if len(contradicted) > 0 {
		parts = append(parts, message.New("contradicts %v", naming(contradicted, mostItems)))
	}
	if len(touched) > 0 {
		parts = append(parts, message.New("touches %v", naming(touched, mostItems)))
	}
	switch {
	case len(parts) == 2:
		return message.Sprintf(ctx, "reverse-spec: %s now %v, and %v. Read these requirements; diff has both sides.", file, parts[0], parts[1])
	case len(parts) == 1:
		return message.Sprintf(ctx, "reverse-spec: %s now %v. Read these requirements; diff has both sides.", file, parts[0])
	case len(late) > 0:
		return message.Sprintf(ctx, "reverse-spec: requirements in %v are linked to %s; it was not compared.", naming(late, mostItems), file)
	}
	return ""
}

// withDemands adds requirements with their places, each once.
func withDemands(list []any, more []drift.Statement) []any {
	for _, s := range more {
		if text := s.ID + " (" + s.Location + ")"; s.Adopted && !slices.Contains(list, any(text)) {
			list = append(list, text)
		}
	}
	return list
}

// untrue returns the ids of the requirements and scenarios that changes make untrue.
func untrue(items []drift.Item) []string {
	var out []string
	for _, i := range items {
		for _, s := range i.Statements {
			if !s.Adopted && strings.Contains(s.ID, "-") && !strings.Contains(s.ID, " ") && !slices.Contains(out, s.ID) {
				out = append(out, s.ID)
			}
		}
	}
	return out
}

// specOf returns the spec that covers a file: its own, or that of the nearest enclosing
// folder.
func specOf(p *project.Project, file string) (name string, front spec.Front, ok bool) {
	for target := file; ; target = path.Dir(target) {
		name = spec.PathFor(spec.DefaultOutputDir, target)
		front, err := frontOf(p, name)
		if err == nil && covers(front, target, file) {
			return name, front, true
		}
		if target == "." {
			return "", spec.Front{}, false
		}
	}
}

// covers reports whether the spec of a target covers a file.
func covers(front spec.Front, target, file string) bool {
	switch {
	case front.SourceTarget == "" || path.Clean(front.SourceTarget) != target:
		return false
	case source.Scope(front.Scope) == source.Folder:
		return path.Dir(file) == target
	}
	return true
}

// mostFiles is the number of files up to which all files of a spec are compared after an edit;
// above it only the edited one is.
const mostFiles = 12

// changesIn returns the changes in a file since its spec was written. A move to another
// compared file of the spec is not a change.
func changesIn(ctx context.Context, p *project.Project, name string, front spec.Front, file string) ([]drift.Item, error) {
	o := drift.Options{Spec: name, NoReport: true, Brief: true}
	if len(front.RelatedFiles) > mostFiles {
		o.Source = file
	}
	r, err := detect(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(r.Items, func(i drift.Item) bool { return i.Location != file && !strings.HasPrefix(i.Location, file+":") }), nil
}

// mostItems limits the listed changes.
const mostItems = 3

// differences describes changes, breaking ones first.
func differences(items []drift.Item) message.Text {
	breaking, bodies := 0, 0
	var names []string
	for _, i := range items {
		if i.Breaking {
			breaking++
		}
		if i.Category == drift.Behavior {
			bodies++
		}
		if name := "`" + i.SymbolName + "`"; i.SymbolName != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	changes := changed(len(items), breaking)
	if len(names) > 0 {
		changes = message.New("%v (%v)", changes, naming(names, mostItems))
	}
	if bodies == len(items) {
		return message.New("its interface is as the spec says, its behaviour changed since: %v", changes)
	}
	return message.New("its interface changed since: %v", changes)
}
