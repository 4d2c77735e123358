package search

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// tasks are the words, without their endings, with which changes are asked for, and which faults are reported with. What documentation
// begins with as often ("create", "set", "check") is not among them.
var tasks = stemmed(`add added adjust allow avoid bring bump change clarify clean cleanup correct deprecate disable disallow do drop enable ensure
	expose extend feat fix fixup handle ignore implement improve include introduce let make mention modify move optimise optimize perf prevent
	reduce refactor remove rename reorganize replace restore revise rewrite rework simplify skip speed support switch try tweak update upgrade
	use warn workaround`)

var faults = stemmed(`bug crash deadlock error exception fail failure hang incorrect issue leak panic race regression segfault wrong`)

func stemmed(list string) map[string]bool {
	of := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		of[words.Stem(w)] = true
	}
	return of
}

// change matches what only a change has: the part of the project in front of it, the number of its discussion, or what it is against.
var change = lazyregexp.New(`^[\w./-]+(\([^)]*\))?!?: |(^|\W)#\d+|(?i)\b(instead of|no longer|don't|doesn't|unused)\b`)

// IsTask reports whether a query asks for a change or reports a fault: it begins with what is to be done, names a fault, or is like the
// message of a commit.
func IsTask(query string) (task bool) {
	task = change.MatchString(query)
	first := true
	words.Each(query, func(word string, whole bool) {
		if whole {
			return
		}
		stem := words.Stem(word)
		task = task || first && tasks[stem] && !strings.HasSuffix(word, "s") || faults[stem]
		first = false
	})
	return task
}

// place is a file in a query, with a line where one is given: "router/mux.go", "mux.go:120", "File \"app.py\", line 7".
type place struct {
	path string
	line int // 0 if not given
}

type placeList []place

// inQuery matches a path with an extension, and a line behind it.
var inQuery = lazyregexp.New(`([\w@.+-]*(?:[/\\][\w@.+-]+)*\.[A-Za-z]\w{0,5})(?:"?, line (\d+)|[:(](\d+))?`)

// maxPlaces is the number of places of a query that count: of a long stack trace the first ones.
const maxPlaces = 20

// placesIn returns the files that a query names. A name with a dot is one if it has a slash or a line.
func placesIn(query string) (list placeList) {
	for _, m := range inQuery.FindAllStringSubmatch(query, maxPlaces) {
		p := place{path: strings.ReplaceAll(m[1], `\`, "/")}
		p.line, _ = strconv.Atoi(m[2] + m[3])
		if p.line > 0 || strings.Contains(p.path, "/") {
			list = append(list, p)
		}
	}
	return list
}

// share returns what a symbol gets for being in a file that the query names: more at the line that is given.
func (list placeList) share(n *codegraph.Node) (most float64) {
	for _, p := range list {
		if !strings.HasSuffix("/"+p.path, "/"+n.Path) && !strings.HasSuffix("/"+n.Path, "/"+p.path) {
			continue
		}
		share := 0.5
		if p.line > 0 && n.StartLine <= p.line && p.line <= n.EndLine {
			share = 1.5
		}
		most = max(most, share)
	}
	return most
}
