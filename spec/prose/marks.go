package prose

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// marks match words of documentation that say whether a value is required: "(required)", "Optional.", "[optional]".
var marks = lazyregexp.New(`(?i)\s*[(\[](required|optional)(,[^)\]]*)?[)\]]|^(required|optional)[.:,;]\s+|\s+-\s+(required|optional)\.?$`)

// givesDefault begins sentences that only say the default.
var givesDefault = lazyregexp.New(`(?i)^(the )?defaults?( value)?( is|s to|:| to| =) *`)

// WithoutMarks returns what documentation says of an option without what its table says in other columns: whether it is
// required, and the default if that is the one which is known.
func WithoutMarks(text, fallback string) string {
	if at := givesDefault.FindStringIndex(text); at != nil && fallback != "" && strings.Trim(text[at[1]:], "`'\". ") == strings.Trim(fallback, "`'\". ") {
		return ""
	}
	out := marks.ReplaceAllString(text, "")
	if out = strings.TrimSpace(out); out == "" || out == "." {
		return ""
	}
	if out[0] >= 'a' && out[0] <= 'z' && text[0] != out[0] { // it began with a mark
		out = strings.ToUpper(out[:1]) + out[1:]
	}
	return out
}
