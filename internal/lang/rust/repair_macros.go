package rust

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Some crates wrap declarations in macros that emit them conditionally: cfg_rt! { pub
// fn spawn … }, pin_project! { pub struct … }. The grammar parses the arguments of a
// macro as tokens. If they parse as declarations without an error, they are read as
// declarations, with the macro among their decorators.
//
// No grammar makes this file unnecessary, because the meaning of the arguments depends
// on the macro. To drop it, remove the call of unwrap in read.

// wrapper is a macro around declarations.
type wrapper struct {
	core.Span             // span of the content; Name is the macro's: "cfg_rt!"
	cuts      []core.Span // blanked for the parser, so that only the content is left
	plain     bool        // the macro has one body (cfg_if! has several)
}

// maxWrappers is the maximum nesting of wrappers.
const maxWrappers = 8

// unwrap parses the text again without the macros around declarations.
func (r *reader) unwrap() {
	for range maxWrappers {
		found := slices.DeleteFunc(wrappers(r.Root()), func(w wrapper) bool { return !r.holdsItems(w) })
		if len(found) == 0 {
			return
		}
		text := bytes.Clone(r.Rewritten)
		for _, w := range found {
			for _, cut := range w.cuts {
				srctext.Blank(text[cut.Start:cut.End])
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

// holdsItems reports whether the text between a wrapper's cuts consists of declarations
// only.
func (r *reader) holdsItems(w wrapper) bool {
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

// wrappers returns, in order, the macros that are used where a declaration may be and
// whose content begins like one.
func wrappers(root syntax.Node) []wrapper {
	var out []wrapper
	jump := 0
	for n := range root.Descendants() {
		if n.Index() < jump {
			continue
		}
		if n.Is("block") { // macros in functions compute values
			jump = n.After()
			continue
		}
		if !n.Is("macro_invocation") || !n.Parent().Is("source_file", "declaration_list") {
			continue
		}
		jump = n.After()
		body := n.Child("token_tree")
		switch call, _ := targetOf(n.Field("macro")); {
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
		if !c.Is("{") && !syntax.IsComment(c.Kind()) {
			return slices.Contains(itemWords, c.Text())
		}
	}
	return false
}

// branches reads cfg_if! { if #[cfg(…)] { … } else { … } }. It cuts everything outside
// the braces.
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

// isWhole reports whether n is a declaration or may appear between declarations.
func isWhole(n syntax.Node) bool {
	return isItem(n) && !n.Is("function_signature_item") || syntax.IsComment(n.Kind()) ||
		n.Is("attribute_item", "inner_attribute_item", "macro_invocation", "empty_statement")
}

// wrapped returns the macros directly around a declaration, outermost first.
func (r *reader) wrapped(n syntax.Node) []string {
	var out []string
	for _, w := range r.wrappers {
		if w.plain && w.Start <= n.Start() && n.End() <= w.End {
			out = append(out, w.Name)
		}
	}
	return out
}
