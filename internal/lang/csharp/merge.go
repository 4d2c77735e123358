package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// mergeSymbols makes names unique. Overloads are merged into one symbol, and so are the parts of
// partial types. Of types with the same name, those with more type parameters are named with
// them: "Result<T>".
func mergeSymbols(list []code.Symbol) []code.Symbol {
	nameByArity(list)
	at := make(map[string]int, len(list)) // key -> index in groups
	var groups [][]int
	joined := false
	for i := range list {
		key := mergeKey(&list[i])
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
			s = mergeGroup(list, group)
		}
		out = append(out, s)
	}
	return out
}

// nameByArity renames types if another type of that name has fewer type parameters.
func nameByArity(list []code.Symbol) {
	least := map[string]int{}
	for i := range list {
		s := &list[i]
		if n, ok := least[s.Name]; namedType(s.Kind) && (!ok || len(s.TypeParameters) < n) {
			least[s.Name] = len(s.TypeParameters)
		}
	}
	for i := range list {
		if s := &list[i]; namedType(s.Kind) && len(s.TypeParameters) > least[s.Name] {
			s.Name += "<" + strings.Join(typeParameterNames(s.TypeParameters), ", ") + ">"
		}
	}
}

// mergeKey returns a key that is the same for two declarations of one entity.
func mergeKey(s *code.Symbol) string {
	switch {
	case namedType(s.Kind):
		return s.Name
	case s.Static:
		return s.Name + "\x00static " + string(s.Kind)
	}
	return s.Name + "\x00" + string(s.Kind)
}

func namedType(k code.Kind) bool {
	switch k {
	case code.Class, code.Struct, code.Interface, code.Enum, code.TypeDef, code.Union, code.Extension:
		return true
	default:
		return false
	}
}

// typeParameterNames returns the names of type parameters without attributes and variance.
func typeParameterNames(list []string) []string {
	var out []string
	for _, p := range list {
		out = append(out, p[strings.LastIndexAny(p, " \t\n]")+1:])
	}
	return out
}

// mergeGroup merges symbols into the first one, which gets the distinct signatures of the
// others. Types and partial members have no overloads.
func mergeGroup(list []code.Symbol, group []int) code.Symbol {
	s := list[group[0]]
	whole := namedType(s.Kind)
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
		s.SignatureHash = srctext.ShortHash([]byte(strings.Join(hashes, " ")))
	}
	if all := strings.Join(bodies, ""); all != "" {
		s.BodyHash = srctext.ShortHash([]byte(all))
	}
	s.Members = mergeSymbols(members)
	return s
}

// complete adds the information of another declaration of the same entity.
func complete(s, other *code.Symbol) {
	if s.Doc == "" {
		s.Doc = other.Doc
	}
	if len(s.Params) == 0 && namedType(s.Kind) {
		s.Params = other.Params
	}
	s.EndLine = max(s.EndLine, other.EndLine)
	s.Exported = s.Exported || other.Exported
	s.Bases = addTexts(s.Bases, other.Bases)
	s.Decorators = addTexts(s.Decorators, other.Decorators)
}

// maxTexts is the maximum number of texts that are deduplicated.
const maxTexts = 256

// addTexts appends the texts of b that are not in a.
func addTexts(a, b []string) []string {
	for _, x := range b {
		if len(a) < maxTexts && !slices.Contains(a, x) {
			a = append(slices.Clip(a), x)
		}
	}
	return a
}
