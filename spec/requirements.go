package spec

import (
	"fmt"
	"strings"
)

// numbering assigns ids: the previous id of a key, or else the next number.
type numbering struct {
	prefix string // "REQ-AUTH"
	old    map[string]string
	given  map[string]bool // ids that were returned
	next   int
}

func newNumbering(prefix string) *numbering {
	return &numbering{prefix: prefix, old: map[string]string{}, given: map[string]bool{}, next: 1}
}

// keep records the id of a key; several keys may have one id. Ids with another prefix are ignored.
func (n *numbering) keep(key, id string) {
	number := 0
	if _, err := fmt.Sscanf(strings.TrimPrefix(id, n.prefix), "-%d", &number); err != nil || !strings.HasPrefix(id, n.prefix+"-") {
		return
	}
	n.old[key] = id
	n.next = max(n.next, number+1)
}

// of returns the id of the first known key whose id was not returned yet, or else the next one.
func (n *numbering) of(keys ...string) string {
	for _, key := range keys {
		if id, ok := n.old[key]; ok && !n.given[id] {
			n.given[id] = true
			return id
		}
	}
	id := fmt.Sprintf("%s-%03d", n.prefix, n.next)
	n.next++
	n.given[id] = true
	return id
}
