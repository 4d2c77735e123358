package question

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
)

// markedName matches what may be a name with a mark at its end, as Ruby's save! and valid? are.
var markedName = lazily(`[\pL_$][\pL\pN_$.:#]*[!?]`)

// withMarks puts the names of a question that end in a mark into quotes, if the graph has such symbols. A question mark that ends the
// sentence is of a name only where no symbol is named without it.
func withMarks(ctx context.Context, g *explore.Graph, question string) (string, error) {
	var out strings.Builder
	done := 0
	for _, at := range markedName().FindAllStringIndex(question, -1) {
		name, before, after := question[at[0]:at[1]], question[:at[0]], question[at[1]:]
		plain := name[:len(name)-1]
		if strings.ContainsAny(before[max(0, len(before)-1):]+after[:min(len(after), 1)], "`\"'") {
			continue // it is in quotes
		}
		marked, err := has(ctx, g, name)
		if err != nil {
			return "", err
		}
		if marked && strings.HasSuffix(name, "?") && strings.TrimSpace(after) == "" {
			ends, err := has(ctx, g, plain)
			if err != nil {
				return "", err
			}
			marked = !ends
		}
		if marked {
			out.WriteString(question[done:at[0]] + "`" + name + "`")
			done = at[1]
		}
	}
	return out.String() + question[done:], nil
}

// has reports whether a symbol has a name, or one that ends in it.
func has(ctx context.Context, g *explore.Graph, name string) (bool, error) {
	ids, err := g.Reader().Suffixed(ctx, dotted.Replace(name))
	return len(ids) > 0, err
}
