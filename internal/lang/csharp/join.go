package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// joinCSharp makes names unique: overloads of one name are one symbol, so are the
// parts of what is partial, and of types of one name those with more type
// parameters are called by them: "Result<T>".
func joinCSharp(list []code.Symbol) []code.Symbol {
	nameByArity(list)
	at := make(map[string]int, len(list)) // key -> index in groups
	var groups [][]int
	joined := false
	for i := range list {
		key := csharpKey(&list[i])
		k, ok := at[key]
		if !ok {
			at[key] = len(groups)
			groups = append(groups, []int{i})
			continue
		}
		groups[k] = append(groups[k], i)
		joined = true
	}
	if !joined {
		return list
	}
	out := make([]code.Symbol, 0, len(groups))
	for _, group := range groups {
		s := list[group[0]]
		if len(group) > 1 {
			s = joinGroup(list, group)
		}
		out = append(out, s)
	}
	return out
}

// nameByArity renames types of which another one of the name has fewer type
// parameters.
func nameByArity(list []code.Symbol) {
	least := map[string]int{}
	for i := range list {
		s := &list[i]
		if n, ok := least[s.Name]; csharpType(s.Kind) && (!ok || len(s.TypeParameters) < n) {
			least[s.Name] = len(s.TypeParameters)
		}
	}
	for i := range list {
		if s := &list[i]; csharpType(s.Kind) && len(s.TypeParameters) > least[s.Name] {
			s.Name += "<" + strings.Join(typeParameterNames(s.TypeParameters), ", ") + ">"
		}
	}
}

// csharpKey is what two declarations of one thing have in common.
func csharpKey(s *code.Symbol) string {
	switch {
	case csharpType(s.Kind):
		return s.Name
	case s.Static:
		return s.Name + "\x00static " + string(s.Kind)
	}
	return s.Name + "\x00" + string(s.Kind)
}

func csharpType(k code.Kind) bool {
	switch k {
	case code.Class, code.Struct, code.Interface, code.Enum, code.Type, code.Union, code.Extension:
		return true
	default:
		return false
	}
}

// typeParameterNames returns the names of type parameters without attributes and
// variance.
func typeParameterNames(list []string) []string {
	var out []string
	for _, p := range list {
		out = append(out, p[strings.LastIndexAny(p, " \t\n]")+1:])
	}
	return out
}

// joinGroup makes one symbol of several. The first stands for all; each signature
// is kept once. What is partial, or a type, has no overloads.
func joinGroup(list []code.Symbol, group []int) code.Symbol {
	s := list[group[0]]
	whole := csharpType(s.Kind)
	for _, i := range group {
		whole = whole || list[i].Part
		s.Part = s.Part && list[i].Part
	}
	s.Overloads = nil
	var members []code.Symbol
	var signatures, hashes, bodies []string
	seen := map[string]bool{}
	for _, i := range group {
		o := &list[i]
		members = append(members, o.Members...)
		bodies = append(bodies, o.BodyHash)
		complete(&s, o)
		if whole && seen[o.SignatureHash] {
			continue
		}
		seen[o.SignatureHash] = true
		signatures, hashes = append(signatures, o.Signature), append(hashes, o.SignatureHash)
		switch {
		case whole:
		case len(o.Overloads) > 0:
			s.Overloads = append(s.Overloads, o.Overloads...)
		default:
			s.Overloads = append(s.Overloads, code.Overload{
				Signature: o.Signature, TypeParameters: o.TypeParameters, Params: o.Params,
				Returns: o.Returns, SignatureHash: o.SignatureHash,
			})
		}
	}
	s.Signature = strings.Join(signatures, "\n")
	if len(hashes) > 1 {
		s.SignatureHash = core.ShortHash([]byte(strings.Join(hashes, " ")))
	}
	if all := strings.Join(bodies, ""); all != "" {
		s.BodyHash = core.ShortHash([]byte(all))
	}
	s.Members = joinCSharp(members)
	return s
}

// complete adds what another declaration of the same name says.
func complete(s, other *code.Symbol) {
	if s.Doc == "" {
		s.Doc = other.Doc
	}
	if len(s.Params) == 0 && csharpType(s.Kind) {
		s.Params = other.Params
	}
	s.EndLine = max(s.EndLine, other.EndLine)
	s.Exported = s.Exported || other.Exported
	s.Bases = addTexts(s.Bases, other.Bases)
	s.Decorators = addTexts(s.Decorators, other.Decorators)
}

// maxTexts is how many texts are kept apart.
const maxTexts = 256

// addTexts adds the texts of b that a lacks.
func addTexts(a, b []string) []string {
	for _, x := range b {
		if len(a) < maxTexts && !slices.Contains(a, x) {
			a = append(slices.Clip(a), x)
		}
	}
	return a
}
