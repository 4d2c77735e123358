package lock

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// symbolLine is the entry of a symbol: a code.Symbol without its members and lines.
type symbolLine struct {
	List  listName `json:"list,omitempty"` // of a top-level symbol
	Of    string   `json:"of,omitempty"`   // the id of the symbol that it is a member of
	Name  string   `json:"name,omitempty"` // if it does not follow from the id
	File  string   `json:"file,omitempty"` // "" for that of the owner
	Order []string `json:"order,omitempty"`

	Kind           code.Kind       `json:"kind,omitempty"`
	Signature      string          `json:"signature,omitempty"`
	Doc            string          `json:"doc,omitempty"`
	TypeParameters []string        `json:"typeParameters,omitempty"`
	Params         []code.Param    `json:"params,omitempty"`
	Returns        string          `json:"returns,omitempty"`
	Value          string          `json:"value,omitempty"`
	Bases          []string        `json:"bases,omitempty"`
	Decorators     []string        `json:"decorators,omitempty"`
	Overloads      []code.Overload `json:"overloads,omitempty"`
	Visibility     code.Visibility `json:"visibility,omitempty"` // as in visibility
	Exported       bool            `json:"exported,omitempty"`
	Default        bool            `json:"default,omitempty"`
	Static         bool            `json:"static,omitempty"`
	Abstract       bool            `json:"abstract,omitempty"`
	Async          bool            `json:"async,omitempty"`
	Optional       bool            `json:"optional,omitempty"`
	Readonly       bool            `json:"readonly,omitempty"`
	Receiver       string          `json:"receiver,omitempty"`
	Constraint     string          `json:"constraint,omitempty"`
	SignatureHash  string          `json:"signatureHash,omitempty"`
	BodyHash       string          `json:"body,omitempty"`
	Part           bool            `json:"part,omitempty"`
	Broken         bool            `json:"broken,omitempty"`
}

// lineOf returns the entry of a symbol without its relations to others.
func lineOf(s *code.Symbol) symbolLine {
	return symbolLine{
		Kind: s.Kind, Signature: s.Signature, Doc: s.Doc, TypeParameters: s.TypeParameters, Params: s.Params, Returns: s.Returns,
		Value: s.Value, Bases: s.Bases, Decorators: s.Decorators, Overloads: s.Overloads, Visibility: visibility(s.Exported, s.Visibility),
		Exported: s.Exported, Default: s.Default, Static: s.Static, Abstract: s.Abstract, Async: s.Async, Optional: s.Optional,
		Readonly: s.Readonly, Receiver: s.Receiver, Constraint: s.Constraint, SignatureHash: s.SignatureHash, BodyHash: s.BodyHash,
		Part: s.Part, Broken: s.Broken,
	}
}

// symbol is the inverse of lineOf.
func (l *symbolLine) symbol() code.Symbol {
	return code.Symbol{
		Kind: l.Kind, Signature: l.Signature, Doc: l.Doc, TypeParameters: l.TypeParameters, Params: l.Params, Returns: l.Returns,
		Value: l.Value, Bases: l.Bases, Decorators: l.Decorators, Overloads: l.Overloads, Visibility: visibility(l.Exported, l.Visibility),
		Exported: l.Exported, Default: l.Default, Static: l.Static, Abstract: l.Abstract, Async: l.Async, Optional: l.Optional,
		Readonly: l.Readonly, Receiver: l.Receiver, Constraint: l.Constraint, SignatureHash: l.SignatureHash, BodyHash: l.BodyHash,
		Part: l.Part, Broken: l.Broken,
	}
}

// visibility leaves out the usual visibility of a symbol, public if it is exported and else private.
// It is its own inverse.
func visibility(exported bool, v code.Visibility) code.Visibility {
	usual := code.Private
	if exported {
		usual = code.Public
	}
	switch v {
	case usual:
		return ""
	case "":
		return usual
	default:
		return v
	}
}

// anonymous is the name of a symbol without one, in ids.
const anonymous = "(anonymous)"

// idOf returns the id of a symbol that shares it with no other: its qualified name.
func idOf(owner, name string) string {
	if owner == "" {
		return name
	}
	return owner + "." + name
}

// sibling is a symbol in a list: the exports, or the members of a symbol.
type sibling struct {
	id   string
	file string
	at   int // in the symbols of its file
}

// inOrder sorts a list as its files suggest: symbols in the owner's file first, then by file, and
// in a file as they are listed there. It is the order of most lists.
func inOrder(list []sibling, ownerFile string) []string {
	sorted := slices.SortedStableFunc(slices.Values(list), func(a, b sibling) int {
		return cmp.Or(
			cmp.Compare(btoi(a.file != ownerFile), btoi(b.file != ownerFile)),
			cmp.Compare(a.file, b.file), cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	return ids(sorted)
}

func ids(list []sibling) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.id
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// nameOf returns the name of the symbol with an id.
func (l *symbolLine) nameOf(id string) string {
	name := l.Name
	if name == "" {
		name = strings.TrimPrefix(id, idOf(l.Of, ""))
	}
	if base, _, _ := strings.Cut(name, "#"); base == anonymous {
		return ""
	}
	return name
}
