package search

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// The weight of a node's file relative to the node: more for a change that is to be made or a fault that is to be
// found, which one place alone rarely has the words of.
const (
	fileWeight     = 0.34
	taskFileWeight = 0.8
)

// tasks are the words, without their endings, with which changes are asked for, and which faults are reported with.
var tasks = stemmed(`add allow avoid change check clean correct create deprecate disable do drop enable ensure expose extend fix handle
	implement improve include introduce let make move optimize pass prevent reduce refactor remove rename replace rewrite set simplify
	skip speed support switch try update use`)

var faults = stemmed(`bug crash deadlock error exception fail failure hang incorrect issue leak panic race regression segfault wrong`)

func stemmed(list string) map[string]bool {
	of := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		of[words.Stem(w)] = true
	}
	return of
}

// fileWeightOf returns the weight of files for a query.
func fileWeightOf(query string) float64 {
	if IsTask(query) {
		return taskFileWeight
	}
	return fileWeight
}

// IsTask reports whether a query asks for a change or reports a fault: it begins with what is to be done, or names a fault.
func IsTask(query string) (task bool) {
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
var inQuery = regexp.MustCompile(`([\w@.+-]*(?:[/\\][\w@.+-]+)*\.[A-Za-z]\w{0,5})(?:"?, line (\d+)|[:(](\d+))?`)

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
