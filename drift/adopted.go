package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/spec"
)

// IsBehaviour reports whether claims of a kind say what the code does, and are compared whatever a spec says.
func IsBehaviour(kind evidence.Kind) bool { return slices.Contains(ofBehaviour, kind) }

// Linked returns the part of a surface that is linked, as wanted says of a name in a file; "" is the statements of the file outside
// declarations. Claims keep no places.
func Linked(s Surface, wanted func(file, name string) bool) Surface {
	out := Surface{Skeleton: adopted.Restrict(s.Skeleton, wanted), Claims: []spec.RecordedClaim{}, text: s.text}
	out.Imports, out.Calls, out.ParseErrors, out.Entries = nil, nil, nil, nil
	files := map[string]bool{}
	for _, list := range [][]string{filesOf(out.Exports), filesOf(out.Internals), filesOf(out.Variants)} {
		for _, file := range list {
			files[file] = true
		}
	}
	for _, c := range s.Claims {
		if len(c.At) == 0 {
			continue
		}
		file := c.At[0].File
		for name := c.Subject; ; {
			if wanted(file, name) {
				out.Claims = append(out.Claims, c)
				files[file] = true
				break
			}
			i := strings.LastIndexByte(name, '.')
			if i < 0 {
				break
			}
			name = name[:i]
		}
	}
	out.Files = nil
	for _, d := range s.Files {
		if files[d.Path] || wanted(d.Path, "") {
			out.Files = append(out.Files, d)
		}
	}
	return out
}

func filesOf(list []code.Symbol) []string {
	var out []string
	for i := range list {
		out = append(out, list[i].File)
		out = append(out, filesOf(list[i].Members)...)
	}
	return out
}
