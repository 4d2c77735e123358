package spec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// fewestInARun is the number of ids from which a list names the first and the last only.
const fewestInARun = 3

// idList lists ids. Those that follow each other are written as a run: REQ-JWT-001..004.
func idList(ids []string) string {
	var out []string
	for i := 0; i < len(ids); {
		n := 1
		for i+n < len(ids) && ids[i+n] == following(ids[i+n-1]) {
			n++
		}
		if n >= fewestInARun {
			last := ids[i+n-1]
			out = append(out, ids[i]+".."+last[strings.LastIndexByte(last, '-')+1:])
		} else {
			out = append(out, ids[i:i+n]...)
		}
		i += n
	}
	return strings.Join(out, ", ")
}

// following returns the id after one: REQ-JWT-002 after REQ-JWT-001; "" for an id without a number at its end.
func following(id string) string {
	at := strings.LastIndexByte(id, '-') + 1
	n, err := strconv.ParseUint(id[at:], 10, 31)
	if at == 0 || err != nil {
		return ""
	}
	return fmt.Sprintf("%s%0*d", id[:at], len(id)-at, n+1)
}

// idRun matches a run of ids.
var idRun = lazyregexp.New(`^(.+-)(\d+)\.\.(\d+)$`)

// longestRun bounds the ids that a run in a page stands for.
const longestRun = 1000

// parseIDs is the inverse of idList. It returns nil for an empty list.
func parseIDs(text string) []string {
	var out []string
	for _, item := range splitList(text) {
		out = append(out, idsOf(item)...)
	}
	return out
}

// idsOf returns the ids that an item of a list stands for. What is no run is an id.
func idsOf(item string) []string {
	run := idRun.FindStringSubmatch(item)
	if run == nil {
		return []string{item}
	}
	out := []string{run[1] + run[2]}
	for last := run[1] + run[3]; out[len(out)-1] != last; {
		if len(out) == longestRun {
			return []string{item}
		}
		out = append(out, following(out[len(out)-1]))
	}
	return out
}
