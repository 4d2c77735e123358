package code

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"
)

// Skeleton is the contract's CodeSkeleton: one file, or several merged.
type Skeleton struct {
	FilePath    string       `json:"filePath"`
	Language    string       `json:"language"`
	LOC         int          `json:"loc"`
	Doc         string       `json:"moduleDoc,omitempty"`
	Exports     []Symbol     `json:"exports"`
	Internals   []Symbol     `json:"internals,omitempty"` // private top-level symbols
	Variants    []Symbol     `json:"variants,omitempty"`  // exports of files outside the reference build
	Imports     []Import     `json:"imports"`
	Calls       []Call       `json:"callSites,omitempty"`
	ParseErrors []ParseError `json:"parseErrors,omitempty"`
	Entries     []Entry      `json:"entryPoints,omitempty"`
	Files       []Digest     `json:"files,omitempty"` // of every merged file
	Hash        string       `json:"hash"`            // SHA-256, hex; if merged, of the concatenated file hashes
	AnalyzedAt  string       `json:"analyzedAt"`      // RFC 3339, UTC
	ParserUsed  string       `json:"parserUsed"`
}

// Skeleton returns the contract's view of the file alone.
func (f *File) Skeleton(at time.Time) Skeleton {
	s := Skeleton{
		FilePath: f.Path, Language: f.Language, LOC: f.LOC, Doc: f.Doc,
		Exports: []Symbol{}, Imports: f.Imports, Calls: f.Calls, ParseErrors: f.ParseErrors, Entries: f.Entries,
		Files: []Digest{f.Digest}, Hash: f.Hash, AnalyzedAt: at.UTC().Format(time.RFC3339), ParserUsed: f.Parser,
	}
	if s.Imports == nil {
		s.Imports = []Import{}
	}
	for _, sym := range f.Symbols {
		if sym.Exported {
			s.Exports = append(s.Exports, sym)
		} else {
			s.Internals = append(s.Internals, sym)
		}
	}
	return s
}

// Merge joins the skeletons of files under one path. Symbols of test files are left out. A method joins its type if
// the type is declared in the same folder, and parts of one declaration are joined across folders. Every symbol
// names its file. Symbols of files outside the reference build become variants, unless all files are outside it.
// The hash covers all files.
func Merge(target string, files []*File, at time.Time) Skeleton {
	s := Skeleton{
		FilePath: target, Exports: []Symbol{}, Imports: []Import{},
		AnalyzedAt: at.UTC().Format(time.RFC3339),
	}
	files = slices.SortedFunc(slices.Values(files), func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	sum := sha256.New()
	languages, parsers := map[string]int{}, map[string]int{}
	for _, f := range files {
		sum.Write([]byte(f.Hash))
		s.Files = append(s.Files, f.Digest)
		s.LOC += f.LOC
		languages[f.Language] += f.LOC
		parsers[f.Parser] += f.LOC
		if s.Doc == "" && !f.Test && f.Constraint == "" {
			s.Doc = f.Doc
		}
		for _, e := range f.ParseErrors {
			e.File = f.Path
			s.ParseErrors = append(s.ParseErrors, e)
		}
		if !f.Test {
			for _, i := range f.Imports {
				i.File = f.Path
				s.Imports = append(s.Imports, i)
			}
			for _, e := range f.Entries {
				e.File = f.Path
				s.Entries = append(s.Entries, e)
			}
		}
	}
	s.Hash = hex.EncodeToString(sum.Sum(nil))
	s.Language, s.ParserUsed = most(languages), most(parsers)
	s.take(files)
	return s
}

// take sorts the files' symbols into exports, internals and variants.
func (s *Skeleton) take(files []*File) {
	sources := slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return f.Test })
	inBuild := slices.ContainsFunc(sources, func(f *File) bool { return f.Constraint == "" })
	join := newJoiner(inBuild)
	for _, f := range sources {
		for _, sym := range f.Symbols {
			join.add(f, sym)
		}
	}
	for _, sym := range join.symbols() {
		switch {
		case sym.Constraint != "" && inBuild:
			s.Variants = append(s.Variants, sym)
		case sym.Exported:
			s.Exports = append(s.Exports, sym)
		default:
			s.Internals = append(s.Internals, sym)
		}
	}
}

// stamp sets the file and constraint of a symbol and of its members.
func stamp(sym Symbol, file, constraint string) Symbol {
	sym.File, sym.Constraint = file, constraint
	sym.Members = slices.Clone(sym.Members)
	for i := range sym.Members {
		sym.Members[i] = stamp(sym.Members[i], file, constraint)
	}
	return sym
}

// most returns the key with the highest count; of equal counts, the smaller key.
func most(counts map[string]int) string {
	best := ""
	for k, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && k < best {
			best = k
		}
	}
	return best
}
