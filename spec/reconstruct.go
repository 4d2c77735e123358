package spec

import (
	"iter"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Reconstructed returns a skeleton of the signatures in the API section of a spec without a
// baseline. It reads headings "### `sig`", as earlier versions wrote them, and code blocks
// under a heading that names the symbol. The skeleton has names and signatures only and a hash
// of zeros; it is no more reliable than the text. ok is false if there are no signatures.
func (s *Spec) Reconstructed() (skeleton code.Skeleton, ok bool) {
	skeleton = code.Skeleton{
		FilePath: s.Front.SourceTarget, Language: s.Front.Language, Imports: []code.Import{}, Exports: []code.Symbol{},
		Hash: strings.Repeat("0", 64), ParserUsed: "reconstructed", AnalyzedAt: s.Front.LastUpdated,
	}
	_, sections := blocks(s.Interface, 3)
	for _, b := range sections {
		if signature, found := headingSignature(b.title); found {
			skeleton.Exports = append(skeleton.Exports, reconstructed(nameOf(signature), "", signature))
			continue
		}
		skeleton.Exports = append(skeleton.Exports, s.declared(b.text)...)
		_, definitions := blocks(b.text, 4)
		for _, d := range definitions {
			name, kind, place, found := definitionHeading(d.title)
			if !found {
				continue
			}
			signature, _, _ := strings.Cut(unfence(d.text), " {\n")
			sym := reconstructed(name, code.Kind(kind), strings.TrimSuffix(signature, ":"))
			sym.File, _, _ = strings.Cut(place, ":")
			skeleton.Exports = append(skeleton.Exports, sym)
		}
	}
	return skeleton, len(skeleton.Exports) > 0
}

// declared reads the declarations in the blocks of code of a section.
func (s *Spec) declared(text string) []code.Symbol {
	var out []code.Symbol
	folder := folderOf(s.Front.SourceTarget, s.Front.Scope)
	for block := range fenced(text) {
		for _, d := range api.ReadDeclarations(block) {
			if d.Signature == "" {
				continue
			}
			sym := reconstructed(nameOf(d.Signature), "", d.Signature)
			sym.File, _, _ = strings.Cut(longPlace(d.Place, folder, s.Front.RelatedFiles), ":")
			out = append(out, sym)
		}
	}
	return out
}

// fenced calls yield for the content of each block of code.
func fenced(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		fence := ""
		var block []string
		for line := range strings.SplitSeq(text, "\n") {
			before := fence
			fence = markdown.FenceAfter(fence, line)
			switch {
			case before == "":
				block = nil
			case fence != "":
				block = append(block, line)
			default:
				if !yield(strings.Join(block, "\n")) {
					return
				}
			}
		}
	}
}

func reconstructed(name string, kind code.Kind, signature string) code.Symbol {
	return code.Symbol{Name: name, Kind: kind, Signature: strings.TrimSpace(signature), Exported: true, Visibility: code.Public}
}

// headingSignature parses "`function f(a: string): void`".
func headingSignature(title string) (string, bool) {
	text, ok := strings.CutPrefix(title, "`")
	if !ok || strings.Contains(title, " · ") {
		return "", false
	}
	text, _, ok = strings.Cut(text, "`")
	return text, ok
}

// definitionHeading parses "`Name` · kind · `file:line`".
func definitionHeading(title string) (name, kind, place string, ok bool) {
	parts := strings.Split(title, " · ")
	if len(parts) != 3 {
		return "", "", "", false
	}
	return strings.Trim(parts[0], "`"), parts[1], strings.Trim(parts[2], "`"), true
}

// nameOf returns the declared name in a signature: the last word before the parameters, a type
// or a body.
func nameOf(signature string) string {
	end := strings.IndexAny(signature, "(<[:={")
	if end < 0 {
		end = len(signature)
	}
	words := strings.Fields(signature[:end])
	if len(words) == 0 {
		return signature
	}
	for i, w := range words { // class A extends B
		if (w == "class" || w == "interface" || w == "struct" || w == "enum" || w == "type" || w == "trait") && i+1 < len(words) {
			return words[i+1]
		}
	}
	return words[len(words)-1]
}
