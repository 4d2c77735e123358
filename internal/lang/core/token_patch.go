package core

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// A grammar may be older than its language. A patch is a row of tokens that occurs only in
// text newer than the grammar, with the replacement to parse instead, so that the surrounding
// declarations are still read. The nodes keep the text of the source; [Reader.Hash] includes
// the text that was replaced.
//
// The tokens of a row are separated by spaces. "*" matches any token but a bracket. A token
// "old/new" is replaced by new, padded with spaces; "old/" is blanked.

// PatchTokens returns a [Language] Repair function that applies rows of tokens, and blanks
// conflict markers and a "#!" line.
func PatchTokens(rows ...string) func(t *syntax.Tree) []byte {
	parsed := make([][]string, len(rows))
	for i, row := range rows {
		parsed[i] = strings.Fields(row)
	}
	return func(t *syntax.Tree) []byte {
		text := bytes.Clone(t.Source)
		for _, mark := range ConflictMarks(text) {
			srctext.Blank(text[mark.Start:mark.End])
		}
		if bytes.HasPrefix(text, []byte("#!")) && !bytes.HasPrefix(text, []byte("#![")) {
			first, _, _ := bytes.Cut(text, []byte("\n"))
			srctext.Blank(first) // the interpreter line of a script
		}
		leaves := syntax.TokensOf(t.Root())
		for i := range leaves {
			for _, row := range parsed {
				if matchesRow(leaves[i:], row) {
					applyRow(text, leaves[i:], row)
				}
			}
		}
		if bytes.Equal(text, t.Source) {
			return nil
		}
		return text
	}
}

// matchesRow reports whether leaves begin with the tokens of row.
func matchesRow(leaves []syntax.Node, row []string) bool {
	if len(leaves) < len(row) {
		return false
	}
	for k, want := range row {
		want, _, _ = strings.Cut(want, "/")
		text := leaves[k].Text()
		if text != want && (want != "*" || strings.Contains("()[]{}", text)) {
			return false
		}
	}
	return true
}

// applyRow replaces the tokens of row.
func applyRow(text []byte, leaves []syntax.Node, row []string) {
	for k, want := range row {
		if _, as, ok := strings.Cut(want, "/"); ok {
			from, to := leaves[k].Start(), leaves[k].End()
			copy(text[from:to], as+strings.Repeat(" ", max(0, to-from-len(as))))
		}
	}
}

// ConflictMarks returns the lines that are merge conflict markers.
func ConflictMarks(text []byte) []Span {
	if !bytes.Contains(text, []byte("<<<<<<< ")) || !bytes.Contains(text, []byte(">>>>>>> ")) {
		return nil
	}
	var out []Span
	at := 0
	for row := range bytes.Lines(text) {
		body := bytes.TrimRight(row, "\r\n")
		for _, mark := range []string{"<<<<<<< ", "||||||| ", ">>>>>>> "} {
			if bytes.HasPrefix(body, []byte(mark)) {
				out = append(out, Span{Start: at, End: at + len(body)})
			}
		}
		if string(body) == "=======" {
			out = append(out, Span{Start: at, End: at + len(body)})
		}
		at += len(row)
	}
	return out
}

// differences returns the ranges in which two texts of the same length differ.
func differences(a, b []byte) []Span {
	var out []Span
	if bytes.Equal(a, b) {
		return nil
	}
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case len(out) > 0 && out[len(out)-1].End == i:
			out[len(out)-1].End++
		default:
			out = append(out, Span{Start: i, End: i + 1})
		}
	}
	return out
}

// Hash returns the hash of n without the nodes in skip, including the text within n that was
// hidden from the parser.
func (r *Reader) Hash(n syntax.Node, skip ...syntax.Node) string {
	sum := r.shapeHash(n, skip...)
	if hidden := r.Hidden(n, skip...); sum != "" && hidden != "" {
		sum = srctext.ShortHash([]byte(sum + hidden))
	}
	return sum
}

// shapeHash is [Shape.Hash] of a node of the file by the shape of its language.
func (r *Reader) shapeHash(n syntax.Node, skip ...syntax.Node) string {
	if n.Ok() && len(skip) == 0 && r.Parts&Hashes != 0 {
		t := r.normalised(r.Root())
		if i := n.Index(); r.At(i) == n && t.to[i] > 0 {
			return srctext.ShortHash(t.out[t.from[i]:t.to[i]])
		}
	}
	return r.Lang.Shape.Hash(n, skip...)
}

// BodyShapeHash is the hash of a body or a value without hidden text. Without [Hashes], it only
// shows whether there is one.
func (r *Reader) BodyShapeHash(n syntax.Node) string {
	if r.Parts&Hashes == 0 {
		return present.Hash(n)
	}
	return r.shapeHash(n)
}

// BodyHash is [Reader.Hash] of a body or a value. Without [Hashes], it only shows whether there
// is one.
func (r *Reader) BodyHash(n syntax.Node, skip ...syntax.Node) string {
	if r.Parts&Hashes == 0 {
		return present.Hash(n)
	}
	return r.Hash(n, skip...)
}

// BodyShape returns the [Shape] that bodies and values are hashed with, without hidden text.
// Without [Hashes], it makes all of them equal.
func (r *Reader) BodyShape() *Shape {
	if r.Parts&Hashes == 0 {
		return present
	}
	return r.Lang.Shape
}

// present is the shape in which all nodes are equal.
var present = &Shape{Special: func(syntax.Node) (drop bool, as string) { return false, "present" }}

// Hidden returns the text within n, outside the nodes in skip, that the parser read in another
// form.
func (r *Reader) Hidden(n syntax.Node, skip ...syntax.Node) string {
	var b strings.Builder
	first, _ := slices.BinarySearchFunc(r.Patched, n.Start(), func(e Span, at int) int { return e.Start - at })
	for _, e := range r.Patched[first:] {
		if e.Start >= n.End() {
			break
		}
		inside := e.End <= n.End()
		for _, s := range skip {
			inside = inside && (!s.Ok() || e.End <= s.Start() || e.Start >= s.End())
		}
		switch {
		case !inside:
		case e.Name != "": // the normalised form
			b.WriteString(e.Name + "\x00")
		default:
			b.Write(r.Source[e.Start:e.End])
			b.WriteByte(0)
		}
	}
	return b.String()
}
