package rust

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Crates put declarations into macros that pass them on under a condition:
// cfg_rt! { pub fn spawn … }, pin_project! { pub struct … }. To the grammar a
// macro's arguments are tokens. Where they read as declarations without an
// error, they are read as such, with the macro among their decorators.

// wrapper is a macro around declarations.
type wrapper struct {
	core.Span             // of what is inside; name is the macro's: "cfg_rt!"
	cuts      []core.Span // what the parser is not shown, so that it sees what is inside
	plain     bool        // the macro has one body; cfg_if! has several
}

// maxWrappers is how deep macros in macros are followed.
const maxWrappers = 8

// unwrap parses the text again without the macros around declarations.
func (r *rustReader) unwrap() {
	for range maxWrappers {
		found := slices.DeleteFunc(wrappers(r.Root()), func(w wrapper) bool { return !r.holdsItems(w) })
		if len(found) == 0 {
			return
		}
		text := bytes.Clone(r.Rewritten)
		for _, w := range found {
			for _, cut := range w.cuts {
				core.Blank(text[cut.Start:cut.End])
			}
		}
		tree, err := r.Lang.Grammar.Parse(text)
		if err != nil {
			return
		}
		r.SetTree(r.Source, core.Repaired(r.Lang, tree))
		r.wrappers = append(r.wrappers, found...)
	}
}

// holdsItems tells whether what stands between a wrapper's cuts is declarations
// and nothing else.
func (r *rustReader) holdsItems(w wrapper) bool {
	for i := range w.cuts[1:] {
		tree, err := r.Lang.Grammar.Parse(r.Rewritten[w.cuts[i].End:w.cuts[i+1].Start])
		if err != nil {
			return false
		}
		root := core.Repaired(r.Lang, tree).Root()
		if root.HasError() {
			return false
		}
		for n := range root.Children() {
			if !isWhole(n) {
				return false
			}
		}
	}
	return true
}

// wrappers returns the macros that stand where declarations do and begin like
// one inside, in order.
func wrappers(root syntax.Node) []wrapper {
	var out []wrapper
	jump := 0
	for n := range root.Within() {
		if n.Index() < jump {
			continue
		}
		if n.Is("block") { // macros in functions compute
			jump = n.After()
			continue
		}
		if !n.Is("macro_invocation") || !n.Parent().Is("source_file", "declaration_list") {
			continue
		}
		jump = n.After()
		body := n.Child("token_tree")
		switch call, _ := rustTarget(n.Field("macro")); {
		case !body.Has("{"):
		case call.Name == "cfg_if":
			if w := branches(n, body); len(w.cuts) > 0 {
				out = append(out, w)
			}
		case beginsItem(body):
			open, end := body.Child("{"), body.End()-1
			out = append(out, wrapper{
				Span: core.Span{Start: open.End(), End: end, Name: call.Name + "!"}, plain: true,
				cuts: []core.Span{{Start: n.Start(), End: open.End()}, {Start: end, End: body.End()}},
			})
		}
	}
	return out
}

// itemWords are the tokens that a declaration can begin with.
var itemWords = []string{
	"#", "pub", "fn", "struct", "enum", "union", "trait", "impl", "mod", "use", "type", "const", "static", "unsafe",
	"async", "extern",
}

func beginsItem(body syntax.Node) bool {
	for c := range body.Children() {
		if !c.Is("{") && !core.IsComment(c.Kind()) {
			return slices.Contains(itemWords, c.Text())
		}
	}
	return false
}

// branches reads cfg_if! { if #[cfg(…)] { … } else { … } }: all but what is in
// the braces is cut.
func branches(n, body syntax.Node) wrapper {
	w := wrapper{Span: core.Span{Start: body.Start(), End: body.End(), Name: "cfg_if!"}}
	at := n.Start()
	for c := range body.Children() {
		if !c.Is("token_tree") || !c.Has("{") {
			continue
		}
		open := c.Child("{").End()
		w.cuts = append(w.cuts, core.Span{Start: at, End: open})
		at = c.End() - 1
	}
	if len(w.cuts) > 0 {
		w.cuts = append(w.cuts, core.Span{Start: at, End: body.End()})
	}
	return w
}

// isWhole tells a declaration, or what may stand beside declarations.
func isWhole(n syntax.Node) bool {
	return isRustItem(n) && !n.Is("function_signature_item") || core.IsComment(n.Kind()) ||
		n.Is("attribute_item", "inner_attribute_item", "macro_invocation", "empty_statement")
}

// wrapped returns the macros that are directly around a declaration, the
// outermost first.
func (r *rustReader) wrapped(n syntax.Node) []string {
	var out []string
	for _, w := range r.wrappers {
		if w.plain && w.Start <= n.Start() && n.End() <= w.End {
			out = append(out, w.Name)
		}
	}
	return out
}
