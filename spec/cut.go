package spec

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/reverse-spec/reverse-spec/code"
)

// cut brings the result under a number of tokens. Each step takes away a kind of
// detail and measures again; what is left at the end is names and signatures,
// and then fewer of them.
func (r *PrepareResult) cut(limit int, m *material) {
	steps := []struct {
		part string
		do   func()
	}{
		{"codeSnippets", func() { r.CodeSnippets = []string{}; r.Context = m.context(nil) }},
		{"dependencySpecs", r.dropDependencies},
		{"skeleton", r.dropInternals},
		{"skeleton", func() { r.Skeletons = []code.Skeleton{} }},
		{"skeleton", func() { r.clipPrompt(limit / 3) }},
	}
	for _, step := range steps {
		if r.tokens() <= limit {
			break
		}
		step.do()
		r.truncated(step.part)
	}
	for r.tokens() > limit && r.shrink() {
		r.truncated("skeleton")
	}
}

func (r *PrepareResult) truncated(part string) {
	r.Truncated, r.Context.Truncated = true, true
	if !slices.Contains(r.TruncatedParts, part) {
		r.TruncatedParts = append(r.TruncatedParts, part)
	}
	r.Context.TruncatedParts = slices.Clone(r.TruncatedParts)
}

// tokens estimates the size of the result as JSON. JSON is dense in marks:
// three bytes a token.
func (r *PrepareResult) tokens() int {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(r) // plain data encodes without error
	return b.Len() / 3
}

func (r *PrepareResult) dropDependencies() {
	r.Merged.Calls, r.Merged.Imports = nil, []code.Import{}
	for i := range r.Skeletons {
		r.Skeletons[i].Calls = nil
		r.Skeletons[i].Imports = []code.Import{}
	}
}

// dropInternals leaves of each symbol its name, signature and place.
func (r *PrepareResult) dropInternals() {
	for _, s := range r.all() {
		s.Internals, s.Variants, s.Files = nil, nil, nil
		s.Exports = bare(s.Exports)
	}
}

func (r *PrepareResult) all() []*code.Skeleton {
	out := []*code.Skeleton{&r.Merged}
	for i := range r.Skeletons {
		out = append(out, &r.Skeletons[i])
	}
	return out
}

func bare(list []code.Symbol) []code.Symbol {
	out := make([]code.Symbol, 0, len(list))
	for _, s := range list {
		if !s.Exported {
			continue
		}
		b := code.Symbol{
			Name: s.Name, Kind: s.Kind, Signature: s.Signature, Exported: true, Default: s.Default,
			StartLine: s.StartLine, EndLine: s.EndLine, File: s.File,
		}
		b.Members = bare(s.Members)
		if len(b.Members) == 0 {
			b.Members = nil
		}
		out = append(out, b)
	}
	return out
}

func (r *PrepareResult) clipPrompt(limit int) {
	bytesLeft := limit * 3
	if len(r.Context.Prompt) > bytesLeft {
		r.Context.Prompt = clip(r.Context.Prompt, max(bytesLeft, 0))
		r.Context.TokenCount = Tokens(r.Context.Prompt)
	}
}

// shrink takes away what is longest of what is left; false when nothing is.
func (r *PrepareResult) shrink() bool {
	members := false
	for i := range r.Merged.Exports {
		members = members || r.Merged.Exports[i].Members != nil
		r.Merged.Exports[i].Members = nil
	}
	switch {
	case members:
	case len(r.Context.Prompt) > 2000:
		r.clipPrompt(len(r.Context.Prompt) / 3 / 2)
	case len(r.Merged.ParseErrors) > 10:
		r.Merged.ParseErrors = r.Merged.ParseErrors[:10]
	case len(r.Merged.Exports) > 0:
		r.Merged.Exports = r.Merged.Exports[:len(r.Merged.Exports)/2]
	case len(r.FilePaths) > 0:
		r.FilePaths = r.FilePaths[:len(r.FilePaths)/2]
	default:
		return false
	}
	return true
}
