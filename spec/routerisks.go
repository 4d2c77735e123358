package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// takenValues says which values of path parameters never reach a route, because another route has them in its path: GET
// /articles/{slug} and GET /articles/feed; "" for none.
func (m *material) takenValues() string {
	var out []string
	routes := m.ofKind(evidence.Route)
	for _, c := range routes {
		for _, other := range routes {
			if value := m.takenFrom(c, other); value != "" {
				out = append(out, fmt.Sprintf(wording.In(m.lang, "`%[1]s` never gets %[2]s, which `%[3]s` answers.", "`%[1]s` 收不到 %[2]s，后者由 `%[3]s` 应答。"), c.Name, markdown.Code(value), other.Name))
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(out, " ")
}

// takenFrom returns the value of the only parameter in which the path of a route differs from that of another one, which has it
// in its path; "" if they differ in something else, or if the parameter is no text.
func (m *material) takenFrom(c, other *evidence.Claim) string {
	a, b := strings.Split(c.Name, "/"), strings.Split(other.Name, "/")
	if len(a) != len(b) || c.Served == nil || other.Served == nil || other.Served.Shadowed {
		return ""
	}
	value := ""
	for i := range a {
		name, isParameter := pathParameter(a[i])
		_, fixed := pathParameter(b[i])
		switch {
		case a[i] == b[i]:
		case value == "" && isParameter && !fixed && m.takesText(c, name):
			value = b[i]
		default:
			return ""
		}
	}
	return value
}

// pathParameter returns the name of the parameter that a part of a path is: {slug}, :slug, <slug>.
func pathParameter(part string) (name string, ok bool) {
	for _, mark := range []string{"{}", "<>", ":"} {
		if inner, found := strings.CutPrefix(part, mark[:1]); found {
			inner, _, _ = strings.Cut(strings.TrimSuffix(inner, mark[len(mark)-1:]), ":")
			return inner, true
		}
	}
	return "", false
}

// takesText reports whether a parameter of the path of a route is declared as a text.
func (m *material) takesText(c *evidence.Claim, name string) bool {
	return slices.ContainsFunc(m.ofKind(evidence.Input), func(in *evidence.Claim) bool {
		return in.Of == c.Name && in.Name == name && in.Role == "path" && in.Option != nil && slices.Contains(textTypes, in.Option.Type) && !strings.HasSuffix(strings.ToLower(name), "id")
	})
}

var (
	textTypes  = []string{"str", "string", "String"}
	wholeTypes = []string{"int", "Integer", "Int", "Long", "long", "int32", "int64", "uint", "i32", "i64", "u32", "u64", "usize"}
	pageSizes  = []string{"limit", "size", "pagesize", "perpage", "count", "take", "first", "maxresults"}
	upperWords = []string{"le=", "lt=", "max", "Max", "lte=", "Range", "range", "between"}
)

// unboundedPages lists the routes whose requests choose how many rows they get, without an upper limit; "" for none.
func (m *material) unboundedPages() string {
	var names, routes []string
	for _, c := range m.ofKind(evidence.Input) {
		plain := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(c.Name))
		if c.Role != "query" || c.Option == nil || !slices.Contains(wholeTypes, strings.Trim(c.Option.Type, "*?")) || !slices.Contains(pageSizes, plain) {
			continue
		}
		bounded := slices.ContainsFunc(c.Values, func(limit string) bool {
			return slices.ContainsFunc(upperWords, func(word string) bool { return strings.Contains(limit, word) })
		})
		if bounded || !m.reads(c.Of) {
			continue
		}
		names, routes = appendNew(names, []string{codeSpan(c.Name) + m.firstPlace(c)}), appendNew(routes, []string{codeSpan(c.Of)})
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(wording.In(m.lang, "- **No upper limit declared** for %[1]s at %[2]s", "- **未声明上限**：%[2]s 的 %[1]s"), strings.Join(names, ", "), m.someRoutes(routes))
}

// reads reports whether a route reads a table of the database.
func (m *material) reads(route string) bool {
	return slices.ContainsFunc(m.ofKind(evidence.Stored), func(s *evidence.Claim) bool { return s.Of == route })
}
