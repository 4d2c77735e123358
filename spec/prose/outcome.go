package prose

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Verb returns the infinitive of how a function reports an error: "raise", "panic with".
func (w Writer) Verb(how code.ExitKind) string {
	switch {
	case how == code.Panics:
		return wording.In(w.Lang, "panic with", "崩溃并给出")
	case how == code.Throws && (w.Code == "python" || w.Code == "ruby"):
		return wording.In(w.Lang, "raise", "抛出")
	case how == code.Throws:
		return wording.In(w.Lang, "throw", "抛出")
	case how == code.Fails:
		return wording.In(w.Lang, "return", "返回")
	default:
		return wording.In(w.Lang, "fail with", "失败并给出")
	}
}

// Error describes an error by its name, its status, its message and its details. A file's own words for an error without
// any of these are "an error".
func (w Writer) Error(o *evidence.Outcome) string {
	var out []string
	if o.Error != "" {
		out = append(out, span(o.Error))
	}
	if o.Member != "" {
		out = append(out, "("+span(o.Member)+")")
	}
	if o.Status != "" {
		out = append(out, escaped(o.Status))
	}
	for _, text := range append([]string{o.Message}, o.Details...) {
		if text != "" {
			out = append(out, Quote(text))
		}
	}
	if len(out) == 0 {
		out = append(out, wording.In(w.Lang, "an error", "错误"))
	}
	text := strings.Join(out, " ")
	if o.By != "" && o.By != o.Error && o.By != "raise" && o.By != "throw" && o.By != "fail" {
		text += fmt.Sprintf(wording.In(w.Lang, " (through %s)", "（经由 %s）"), span(o.By))
	}
	return text
}

// maxQuote limits a message in a sentence, in bytes.
const maxQuote = 200

// Quote returns a message of the source in quotation marks, cut where it is long.
func Quote(text string) string { return "“" + escaped(markdown.Clip(text, maxQuote)) + "”" }

// escaped returns plain text of the source as Markdown.
func escaped(text string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "`", "\\`").Replace(strings.Join(strings.Fields(text), " "))
}
