// Package link finds the code and the tests that a requirement of a hand-written spec is about: by the names, paths, options
// and texts that both have, by the words of both, by the file that the requirements of a spec have in common, and by what
// the code found calls. It needs no model and no index, and the same project gives the same links.
package link

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Unit is something that a requirement can be linked to: a declaration, the statements of a file outside all declarations,
// or a test.
type Unit struct {
	File   string
	Symbol string // qualified name, or the name of the test; "" for the statements of a file
	Line   int
	Test   bool

	name  string          // the last part of the symbol
	end   int             // last line
	text  string          // its own lines, without those of units within it
	flat  string          // the same in lower case with single spaces
	names map[string]bool // identifiers in it, as written
	// nameWords are the stemmed words of its name, with those of its file where the name has one word.
	nameWords []string
	allWords  []string // those of its name and its path
	prose     float64  // the share of its lines that are sentences
	code.Kind
}

// passage is a part of a unit that is searched by itself: what a long function does is in many places.
type passage struct {
	unit    int
	weights map[string]float64 // how much it has of a word
	length  float64
}

// Corpus are the units of a project.
type Corpus struct {
	Units []*Unit

	declared map[string][]int // units by their name
	naming   map[string][]int // units by identifiers in their text
	postings map[string][]int // units by stemmed words
	passages []passage
	within   map[string][]int // passages by stemmed words
	inNames  map[string][]int // code by the stemmed words of its names and of its file's
	average  [2]float64       // length of passages of code, and of tests
	files    map[string][]int
	pathIDF  map[string]float64 // of the words in paths
	plans    []readPlan
	planned  map[string]int // the number of plans that name a file or a declaration
}

// New takes a project's files apart. Text returns the text of a file.
func New(files []*code.File, text func(file string) []byte) *Corpus {
	c := &Corpus{declared: map[string][]int{}, naming: map[string][]int{}, postings: map[string][]int{}, within: map[string][]int{}, inNames: map[string][]int{}, files: map[string][]int{}, pathIDF: map[string]float64{}}
	for _, f := range files {
		if !f.Generated && !f.Vendored && !allGenerated(f.Symbols) {
			c.add(f, text(f.Path))
		}
	}
	c.index()
	return c
}

// generated matches the annotations of what a generator wrote.
var generated = lazyregexp.New(`\b(?:Compiler)?Generated(?:Code)?\b`)

func isGenerated(s *code.Symbol) bool {
	return slices.ContainsFunc(s.Decorators, generated.MatchString)
}

// allGenerated reports whether a generator wrote all declarations of a file.
func allGenerated(list []code.Symbol) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(s code.Symbol) bool { return !isGenerated(&s) })
}

// add adds the units of a file.
func (c *Corpus) add(f *code.File, text []byte) {
	lines := bytes.Split(text, []byte("\n"))
	from := len(c.Units)
	c.Units = append(c.Units, &Unit{File: f.Path, Line: 1, Test: f.Test, end: len(lines)})
	for i := range f.Tests {
		t := &f.Tests[i]
		if t.EndLine >= t.Line {
			c.Units = append(c.Units, &Unit{File: f.Path, Symbol: t.Name, Line: t.Line, end: t.EndLine, Test: true, name: t.Name, Kind: code.Function})
		}
	}
	if !f.Test {
		c.symbols(f, nil, "", f.Symbols)
	}
	c.texts(c.Units[from:], lines)
	kept := slices.DeleteFunc(slices.Clone(c.Units[from:]), func(u *Unit) bool { return u.Symbol == "" && (f.Test || !u.runs()) })
	c.Units = append(c.Units[:from], kept...)
}

// symbols adds the declarations that have text of their own.
func (c *Corpus) symbols(f *code.File, of *code.Symbol, owner string, list []code.Symbol) {
	for i := range list {
		s := &list[i]
		if s.Name == "" || s.Kind == code.Property || s.Kind == code.EnumMember || isGenerated(s) || isPromise(s, of) {
			continue
		}
		name := owner + s.Name
		inTest := slices.ContainsFunc(f.Tests, func(t code.Test) bool { return t.Line <= s.StartLine && s.EndLine <= t.EndLine })
		if !inTest {
			last := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
			c.Units = append(c.Units, &Unit{File: f.Path, Symbol: name, Line: s.StartLine, end: s.EndLine, name: last, text: s.Doc, Kind: s.Kind})
		}
		c.symbols(f, s, name+".", s.Members)
	}
}

// isPromise reports whether a member says what others do: a method of an interface without a body.
func isPromise(s, of *code.Symbol) bool {
	return of != nil && (of.Kind == code.Interface || of.Kind == code.Trait) && s.BodyHash == ""
}

// texts gives each line of a file to the innermost unit around it.
func (c *Corpus) texts(units []*Unit, lines [][]byte) {
	own := make([]*Unit, len(lines)+2)
	for _, u := range units {
		for n := max(u.Line, 1); n <= min(u.end, len(lines)); n++ {
			if o := own[n]; o == nil || u.end-u.Line < o.end-o.Line {
				own[n] = u
			}
		}
	}
	parts := map[*Unit]*strings.Builder{}
	for _, u := range units {
		parts[u] = &strings.Builder{}
		parts[u].WriteString(u.text)
	}
	for n := 1; n <= len(lines); n++ {
		if u := own[n]; u != nil {
			parts[u].WriteByte('\n')
			parts[u].Write(lines[n-1])
		}
	}
	for _, u := range units {
		u.text = parts[u].String()
		if u.Symbol == "" { // what a file says of itself is not done
			u.text = said.ReplaceAllString(u.text, "")
		}
	}
}

// said matches lines of comments.
var said = lazyregexp.New(`(?m)^\s*(?://|#[^!\[]|/?\*|--).*$`)

// aside matches lines that do nothing: comments, imports, also those of a list in Go, closing brackets.
var aside = lazyregexp.New(`(?m)^\s*(?:$|//|#|/?\*|--|"""|'''|(?:import|export|package|(?:pub(?:\([a-z]+\))?\s+)?(?:use|mod)|extern\s+crate|from|using|namespace|include|require)\b|<\?php|[\])}>,;]+$|(?:[\w.]+\s+)?"[^"\s]*"$)`)

// runs reports whether the statements of a file do something.
func (u *Unit) runs() bool {
	n := 0
	for line := range strings.SplitSeq(u.text, "\n") {
		if !aside.MatchString(line) {
			n++
		}
	}
	return n > 1
}

var (
	identifier = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
	spaces     = lazyregexp.New(`\s+`)
	// joint matches where texts of code are joined: "a " + "b", over lines.
	joint = lazyregexp.New("[\"'`]\\s*\\+?\\s*\n\\s*\\+?\\s*[\"'`]")
)

// Weights of where a word is.
const (
	inName = 4
	inPath = 1.5
	inText = 1
)

// index makes what units are found by.
func (c *Corpus) index() {
	c.pathWords()
	var total [2]float64
	var count [2]float64
	for i, u := range c.Units {
		u.flat = flatten(u.text)
		u.prose = proseOf(u.text)
		u.names = map[string]bool{}
		for _, name := range identifier.FindAllString(u.text, -1) {
			if !u.names[name] {
				u.names[name] = true
				c.naming[name] = append(c.naming[name], i)
			}
		}
		if u.Symbol != "" && !u.Test {
			c.declared[u.name] = append(c.declared[u.name], i)
		}
		c.files[u.File] = append(c.files[u.File], i)
		c.nameOf(i, u)
		seen := map[string]bool{}
		for _, text := range passagesOf(u.text) {
			p := passage{unit: i, weights: map[string]float64{}}
			p.add(text, inText)
			p.add(u.Symbol, inName)
			p.add(stemOfPath(u.File), inPath)
			for w, n := range p.weights {
				p.length += n
				c.within[w] = append(c.within[w], len(c.passages))
				if !seen[w] {
					seen[w] = true
					c.postings[w] = append(c.postings[w], i)
				}
			}
			total[kindOf(u)] += p.length
			count[kindOf(u)]++
			c.passages = append(c.passages, p)
		}
	}
	for k := range total {
		c.average[k] = total[k] / math.Max(count[k], 1)
	}
}

var (
	sentence = lazyregexp.New(`^[\s>*+#\d.-]*\pL[\pL'-]*,?(?: [\pL\d'"` + "`" + `(*<-][^={};]*){4,}$`)
	comment  = lazyregexp.New(`^\s*(?://|#|/?\*|--)`)
)

// proseOf returns the share of the lines of a text that are sentences, outside comments.
func proseOf(text string) float64 {
	n, all := 0.0, 0.0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "" || comment.MatchString(line) {
			continue
		}
		all++
		if sentence.MatchString(line) {
			n++
		}
	}
	return n / math.Max(all, 1)
}

// passageLines is the length of a passage; the next begins in its middle.
const passageLines = 40

// passagesOf returns the parts of a text.
func passagesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= passageLines*3/2 {
		return []string{text}
	}
	var out []string
	for from := 0; from < len(lines); from += passageLines / 2 {
		to := min(len(lines), from+passageLines)
		out = append(out, strings.Join(lines[from:to], ""))
		if to == len(lines) {
			break
		}
	}
	return out
}

// add counts the words of a text.
func (p *passage) add(text string, weight float64) {
	words.Each(text, func(w string, _ bool) {
		if !stop[w] {
			p.weights[words.Stem(w)] += weight
		}
	})
}

// nameOf indexes the words of the names of a unit.
func (c *Corpus) nameOf(i int, u *Unit) {
	u.allWords = wordsOf(u.Symbol + " " + stemOfPath(u.File))
	if u.Test {
		u.nameWords = wordsOf(u.Symbol)
		return
	}
	if u.Symbol == "" {
		return
	}
	if u.nameWords = wordsOf(u.name); len(u.nameWords) < 2 {
		u.nameWords = wordsOf(u.Symbol)
	}
	if len(u.nameWords) < 2 {
		u.nameWords = wordsOf(u.Symbol + " " + path.Base(stemOfPath(u.File)))
	}
	for _, w := range wordsOf(u.Symbol + " " + path.Base(stemOfPath(u.File))) {
		c.inNames[w] = append(c.inNames[w], i)
	}
}

// kindOf is 1 for a test.
func kindOf(u *Unit) int {
	if u.Test {
		return 1
	}
	return 0
}

// testMark matches what marks the name of a file as that of tests.
var testMark = lazyregexp.New(`(?i)(?:[._-](?:test|tests|spec)|^test[._-]|Tests?$)`)

// stemOfPath returns a path without extensions and marks of tests.
func stemOfPath(file string) string {
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	return path.Dir(file) + "/" + testMark.ReplaceAllString(base, "")
}

// pathWords weighs the words of paths by the number of files that have them.
func (c *Corpus) pathWords() {
	seen := map[string]map[string]bool{}
	files := map[string]bool{}
	for _, u := range c.Units {
		if files[u.File] {
			continue
		}
		files[u.File] = true
		for _, w := range wordsOf(stemOfPath(u.File)) {
			if seen[w] == nil {
				seen[w] = map[string]bool{}
			}
			seen[w][u.File] = true
		}
	}
	for w, in := range seen {
		c.pathIDF[w] = math.Log(1 + float64(len(files))/float64(len(in)))
	}
}

// wordsOf returns the stemmed words of a text without stop words, in order, each once.
func wordsOf(text string) []string {
	var out []string
	words.Each(text, func(w string, whole bool) {
		if s := words.Stem(w); !whole && !stop[w] && !slices.Contains(out, s) {
			out = append(out, s)
		}
	})
	return out
}

// stop are words that say nothing about code, and those that requirements are made of.
var stop = func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(`a an the of to in for on and or is are be it this that with by from as at into if not its was were been has have had do does
		did will would can could should may might must shall i we you they their our your my which who what when where then than so such also any all each every
		some no only given while system user users scenario requirement`) {
		out[w] = true
	}
	return out
}()
