package drift

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Kinds of noise, as in the contract's list of what is always filtered.
const (
	noiseWhitespace = "whitespace"
	noiseComments   = "comments"
	noiseImports    = "import-order"
	noiseCommas     = "trailing-commas"
	noiseSemicolons = "semicolons"
)

// noiseWords describes a kind of noise.
func noiseWords(kind string) message.Text {
	switch kind {
	case noiseWhitespace:
		return message.New("white space")
	case noiseComments:
		return message.New("comments")
	case noiseImports:
		return message.New("import order")
	case noiseCommas:
		return message.New("trailing commas")
	case noiseSemicolons:
		return message.New("semicolons")
	}
	return message.New("%s", kind)
}

// noise counts, per kind, the files that differ without a change of meaning.
func noise(base, now *code.Skeleton) map[string]int {
	out := map[string]int{}
	before := map[string]code.Digest{}
	for _, f := range base.Files {
		before[f.Path] = f
	}
	sameImports := slices.Equal(importSet(base.Imports), importSet(now.Imports))
	for _, f := range now.Files {
		old, ok := before[f.Path]
		if !ok || old.Hash == f.Hash {
			continue
		}
		for _, kind := range fileNoise(old, f, sameImports) {
			out[kind]++
		}
	}
	return out
}

// fileNoise returns the differences between two texts of a file besides its code. Commas and
// semicolons count only if the code is the same, because new code has its own.
func fileNoise(old, now code.Digest, sameImports bool) []string {
	var kinds []string
	if old.Comments != now.Comments {
		kinds = append(kinds, noiseComments)
	}
	if old.Imports != now.Imports && sameImports {
		kinds = append(kinds, noiseImports)
	}
	if old.Tokens != now.Tokens {
		return kinds
	}
	if old.Commas != now.Commas {
		kinds = append(kinds, noiseCommas)
	}
	if old.Semicolons != now.Semicolons {
		kinds = append(kinds, noiseSemicolons)
	}
	if len(kinds) == 0 && old.Imports == now.Imports {
		kinds = append(kinds, noiseWhitespace)
	}
	return kinds
}

// importSet returns the imported names, sorted, independent of order and line breaks. A name
// that is imported twice has two entries.
func importSet(list []code.Import) []string {
	var out []string
	for _, i := range list {
		head := id(i.Module, string(i.Kind), i.Default, i.Namespace, mark(i.TypeOnly), mark(i.Reexport))
		if len(i.Named) == 0 {
			out = append(out, head)
		}
		for n, name := range i.Named {
			alias := ""
			if n < len(i.Aliases) {
				alias = i.Aliases[n]
			}
			out = append(out, id(head, name, alias))
		}
	}
	slices.Sort(out)
	return out
}
