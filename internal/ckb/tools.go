package ckb

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"
)

// Symbol is one that CKB knows.
type Symbol struct {
	ID   string // CKB's, valid while its process lives
	Name string
	Kind string // in CKB's words: methods are "function"
	// File is relative to the project; "" for a symbol outside.
	File       string
	Start, End int // lines, 1-based; 0 where CKB does not know them
}

// CallGraph is the direct callers and callees of a symbol. For a symbol that
// cannot be called, the callers are its users.
type CallGraph struct {
	Callers, Callees []Symbol
}

// Reference is a place where a symbol is used.
type Reference struct {
	File string
	Line int // 1-based
}

// location is where something is, in CKB's form.
type location struct {
	File  string `json:"fileId"`
	Start int    `json:"startLine"`
	End   int    `json:"endLine"`
}

// Symbols searches by a part of a name, in a file, or everywhere if file is "".
// Symbols outside the project are left out.
func (a *Access) Symbols(ctx context.Context, name, file string, limit int) ([]Symbol, error) {
	arguments := map[string]any{"query": name, "limit": limit}
	if file != "" {
		arguments["scope"] = file
	}
	var found struct {
		Symbols []struct {
			ID       string   `json:"stableId"`
			Name     string   `json:"name"`
			Kind     string   `json:"kind"`
			Location location `json:"location"`
		} `json:"symbols"`
	}
	if err := hit(a.call(ctx, "searchSymbols", arguments, &found)); err != nil {
		return nil, err
	}
	var symbols []Symbol
	for _, s := range found.Symbols {
		f := a.file(s.Location.File)
		if f == "" || isLocal(s.ID) {
			continue
		}
		symbols = append(symbols, Symbol{s.ID, nameOf(s.ID, s.Name), s.Kind, f, s.Location.Start, s.Location.End})
	}
	return symbols, nil
}

// Directions of [Access.CallGraph].
const (
	Callers = "callers"
	Callees = "callees"
	Both    = "both"
)

// CallGraph returns the calls of a symbol, in a direction. Symbols outside the
// project are left out.
func (a *Access) CallGraph(ctx context.Context, id, direction string) (CallGraph, error) {
	var found struct {
		Nodes []struct {
			ID       string   `json:"id"`
			Name     string   `json:"name"`
			Location location `json:"location"`
			Role     string   `json:"role"`
		} `json:"nodes"`
		Edges []struct{ From, To string } `json:"edges"`
	}
	// CKB limits the nodes of deeper graphs; see [Access.Expand] for those.
	arguments := map[string]any{"symbolId": id, "direction": direction, "depth": 1}
	if err := hit(a.call(ctx, "getCallGraph", arguments, &found)); err != nil {
		return CallGraph{}, err
	}
	symbols := map[string]Symbol{}
	for _, n := range found.Nodes {
		if f := a.file(n.Location.File); f != "" && !isLocal(n.ID) && n.ID != id {
			symbols[n.ID] = Symbol{ID: n.ID, Name: nameOf(n.ID, n.Name), File: f, Start: n.Location.Start, End: n.Location.End}
		}
	}
	var g CallGraph
	for _, e := range found.Edges {
		if s, ok := symbols[e.From]; ok && e.To == id {
			g.Callers = append(g.Callers, s)
		}
		if s, ok := symbols[e.To]; ok && e.From == id {
			g.Callees = append(g.Callees, s)
		}
	}
	return g, nil
}

// References returns where a symbol is used, without its definition.
func (a *Access) References(ctx context.Context, id string, limit int) ([]Reference, error) {
	var found struct {
		References []struct {
			Kind     string   `json:"kind"`
			Location location `json:"location"`
		} `json:"references"`
	}
	if err := hit(a.call(ctx, "findReferences", map[string]any{"symbolId": id, "limit": limit}, &found)); err != nil {
		return nil, err
	}
	var references []Reference
	for _, r := range found.References {
		if f := a.file(r.Location.File); f != "" && r.Kind != "definition" {
			references = append(references, Reference{f, r.Location.Start})
		}
	}
	return references, nil
}

// hit makes a miss an empty result.
func hit(err error) error {
	if miss := (*missError)(nil); errors.As(err, &miss) {
		return nil
	}
	return err
}

// file returns a path of CKB relative to the project; "" for a path outside.
func (a *Access) file(id string) string {
	return a.client.file(id)
}

func (c *Client) file(id string) string {
	if filepath.IsAbs(id) {
		rel, err := filepath.Rel(c.options.Root, id)
		if err != nil {
			return ""
		}
		id = rel
	}
	id = path.Clean(strings.ReplaceAll(id, `\`, "/"))
	if id == "." || id == ".." || strings.HasPrefix(id, "../") {
		return ""
	}
	return id
}

// isLocal reports whether a symbol is a parameter or local to a function.
func isLocal(id string) bool { return strings.Contains(id, "().(") || strings.HasPrefix(id, "local ") }

// ofIndex reports whether an id is a SCIP symbol, whose descriptors contain its kind.
func ofIndex(id string) bool { return strings.Contains(id, " ") }

// callable reports whether a symbol may be a function or a method.
func callable(id string) bool { return !ofIndex(id) || strings.HasSuffix(id, ").") }

// fromGo reports whether a symbol is of Go, the language that CKB reads well.
func fromGo(id string) bool { return strings.HasPrefix(id, "scip-go ") }

// knowsCallees reports whether CKB can know the callees of a symbol. For Python and
// TypeScript it has none; for a symbol that is not callable it returns those of the code
// after it.
func knowsCallees(id string) bool { return !ofIndex(id) || fromGo(id) && callable(id) }

// nameOf is the name of a symbol from the last descriptor of its id: the names that
// CKB returns may be cut off.
func nameOf(id, name string) string {
	switch {
	case !ofIndex(id):
	case callable(id): // the text in parentheses distinguishes overloads
		name = id[:strings.LastIndexByte(id, '(')]
	default:
		name = strings.TrimRight(id, ".#:!")
	}
	return name[strings.LastIndexAny(name, "`/#.:")+1:]
}
