package crossrepo

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// In a shared store, names say which projects may use the contracts of which, so that not all are searched: both sides derive them, one
// from its contracts and one from its code. They are hashed; two with one hash cost a search that finds nothing.

// hashes collects hashed names.
type hashes map[int64]bool

func (h hashes) add(name string) { h[hashName(name)] = true }

func (h hashes) has(name string) bool { return h[hashName(name)] }

func hashName(name string) int64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name)) // it never fails
	return int64(sum.Sum64())
}

// sorted returns the hashes, sorted.
func (h hashes) sorted() []int64 {
	out := make([]int64, 0, len(h))
	for n := range h {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// affixes are what comes before and after the name of a service in names of generated code, normalised.
type affixes [][2]string

// affixesOf returns those of forms in which S stands for the service.
func affixesOf(forms []string) affixes {
	var out affixes
	for _, form := range forms {
		before, after, _ := strings.Cut(form, "S")
		if strings.HasPrefix(form, "S") {
			before, after = "", form[1:]
		}
		out = append(out, [2]string{normalizeName(before), normalizeName(after)})
	}
	return out
}

// each calls f with every normalised name that may be that of the service in a name of generated code.
func (a affixes) each(name string, f func(service string)) {
	name = normalizeName(name)
	for _, pair := range a {
		if rest, ok := strings.CutPrefix(name, pair[0]); ok {
			if service, ok := strings.CutSuffix(rest, pair[1]); ok && service != "" {
				f(service)
			}
		}
	}
}

// Names of services: of a client, of a client where the contract is a copy, of the server's side.
func clientName(service string) string { return "client " + normalizeName(lastPart(service)) }
func copyName(service string) string   { return "copy " + normalizeName(lastPart(service)) }
func serverName(service string) string { return "server " + normalizeName(lastPart(service)) }

// protoProvides returns the names of the services in a contract.
func protoProvides(s *Symbol) []string {
	if s.Kind != "service" {
		return nil
	}
	return []string{clientName(s.Name)}
}

// protoWants finds the names of generated code that a file has.
func protoWants(v *view, add func(name string)) {
	if v.code == nil {
		return
	}
	clients, servers := affixesOf(clientForms), affixesOf(serverForms)
	see := func(name string) {
		clients.each(name, func(service string) {
			add(clientName(service))
			add(copyName(service))
		})
	}
	if v.code.Generated {
		for _, d := range v.code.Facts.Scopes[0].Defs {
			see(d.Name)
		}
		return
	}
	for i := range v.code.Facts.Exprs {
		e := &v.code.Facts.Exprs[i]
		if e.Op != code.OpName && e.Op != code.OpSelect {
			continue
		}
		see(e.Name)
		servers.each(e.Name, func(service string) { add(serverName(service)) })
		if x := v.code.Facts.Exprs[e.X].Name; e.Name == "service" && x != "" { // server.addService(proto.Orders.service, ...)
			add(serverName(x))
		}
	}
}

// mostSegments is how many segments of a path, from its end, are parts of names.
const mostSegments = 4

// openAPIProvides returns the names of an operation: of the last segments of its path that are not parameters, and of its id.
func openAPIProvides(s *Symbol) []string {
	r := newRoute(&contractSymbol{Symbol: s})
	var out []string
	if fixed := fixedSegments(r.segments); len(fixed) > 0 {
		out = append(out, pathName(fixed[:min(2, len(fixed))]))
	}
	if isOperationID(s.Name) {
		out = append(out, operationName(normalizeName(s.Name)))
	}
	return out
}

func operationName(id string) string { return "operation " + id }

// segment is one of a path, with the number of those that follow.
type segment struct {
	text  string
	after int
}

// fixedSegments returns the segments of a path that are not parameters, the last first.
func fixedSegments(parts []string) []segment {
	var out []segment
	for i, text := range slices.Backward(parts) {
		if text != parameter {
			out = append(out, segment{text, len(parts) - 1 - i})
		}
	}
	return out
}

// pathName returns the name of a path with one or two segments.
func pathName(of []segment) string {
	var b strings.Builder
	b.WriteString("path")
	for _, s := range of {
		fmt.Fprintf(&b, " %s@%d", s.text, s.after)
	}
	return b.String()
}

// openAPIWants finds the paths and the calls of functions that a file has.
func openAPIWants(v *view, add func(name string)) {
	if v.code == nil || v.code.Generated {
		return
	}
	for _, l := range v.literals {
		p, ok := pathIn(l.text)
		if !ok {
			continue
		}
		wantsPath(p.parts, add)
		if p.open {
			wantsPath(append(slices.Clone(p.parts), parameter), add)
		}
	}
	for _, c := range v.calls() {
		if words(c.name) < 2 {
			continue
		}
		name := normalizeName(c.name)
		add(operationName(name))
		for _, end := range suffixes {
			if stem, ok := strings.CutSuffix(name, end); ok {
				add(operationName(stem))
			}
		}
	}
}

// wantsPath adds the names under which operations with a path are found: any of its segments may be the value of a parameter.
func wantsPath(parts []string, add func(name string)) {
	fixed := fixedSegments(parts)
	fixed = fixed[:min(mostSegments, len(fixed))]
	for i, last := range fixed {
		add(pathName([]segment{last}))
		for _, before := range fixed[i+1:] {
			add(pathName([]segment{last, before}))
		}
	}
}

// graphQLProvides returns the name of a field of a root type.
func graphQLProvides(s *Symbol) []string {
	if s.Kind != "field" || !isRoot(s.of) {
		return nil
	}
	return []string{fieldName(s.Name)}
}

func fieldName(field string) string { return "field " + field }

// graphQLWants finds the fields with which the operations of a file begin.
func graphQLWants(v *view, add func(name string)) {
	read := func(text string) {
		o := &operationReader{reader: reader{list: graphQLTokens(text)}, uses: &graphQLUses{}, first: 1}
		for !o.done() {
			o.definition()
		}
		for _, field := range o.asked {
			add(fieldName(field))
		}
	}
	if v.code == nil {
		read(string(v.text))
		return
	}
	if v.code.Generated {
		return
	}
	for _, l := range v.literals {
		if isOperation(l.text) {
			read(l.text)
		}
	}
}
