package grounding

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Source is the code that statements are checked against.
type Source struct {
	files   map[string][]string // the lines of each file
	bases   map[string]string   // file name without folder -> path; "" if ambiguous
	planted map[string][]span   // by file: text that addresses models
	names   map[string]bool     // every identifier in the code
	members map[string]bool     // "Type.method"
	types   map[string]bool     // types whose members are all known
	numbers map[string]bool     // every number in the code, without separators
	squeeze string              // all code without white space
	module  string              // the package qualifier that users write
	ids     map[string]bool     // of items that an answer may explain
}

// span is an inclusive range of lines.
type span struct{ from, to int }

func (s span) holds(line int) bool { return s.from <= line && line <= s.to }

// NewSource indexes code: the texts of files by path, and their merged skeleton. ids are the
// items that an answer may explain.
func NewSource(texts map[string]string, skeleton *code.Skeleton, ids []string) *Source {
	s := &Source{
		files: map[string][]string{}, bases: map[string]string{}, planted: map[string][]span{},
		names: map[string]bool{}, members: map[string]bool{}, types: map[string]bool{}, ids: map[string]bool{}, numbers: map[string]bool{},
		module: strings.TrimSuffix(path.Base(skeleton.FilePath), path.Ext(skeleton.FilePath)),
	}
	for _, id := range ids {
		s.ids[id] = true
	}
	var all strings.Builder
	for _, file := range sortedKeys(texts) {
		lines := strings.Split(texts[file], "\n")
		s.files[file] = lines
		if _, taken := s.bases[path.Base(file)]; taken {
			s.bases[path.Base(file)] = ""
		} else {
			s.bases[path.Base(file)] = file
		}
		s.planted[file] = plantedIn(lines)
		for i, line := range lines {
			if !s.isPlanted(file, i+1) {
				s.learn(line)
				all.WriteString(squeezed(line))
			}
		}
		all.WriteByte('\n')
	}
	for _, list := range [][]code.Symbol{skeleton.Exports, skeleton.Internals, skeleton.Variants} {
		for i := range list {
			s.symbol("", &list[i])
			all.WriteString(squeezed(list[i].Signature) + "\n")
		}
	}
	s.squeeze = all.String()
	return s
}

// identifier matches names in code and prose.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*`) })

func (s *Source) learn(line string) {
	for _, name := range identifier().FindAllString(line, -1) {
		s.names[name] = true
	}
	for _, number := range literalNumber().FindAllString(line, -1) {
		s.numbers[strings.NewReplacer("_", "", ",", "").Replace(number)] = true
	}
}

// literalNumber matches numbers in code.
var literalNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d[\d_]*(?:\.\d+)?`) })

// lineNumber matches the number before a line that a model was shown, and those of places in its prompt.
var lineNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+\t|:L?\d+(?:-\d+)?`) })

// Learn adds the names in a text, such as interfaces of other modules that a model was shown.
// Lines that address models are skipped.
func (s *Source) Learn(text string) {
	lines := strings.Split(text, "\n")
	planted := plantedIn(lines)
	var all strings.Builder
	for i, line := range lines {
		if !slices.ContainsFunc(planted, func(p span) bool { return p.holds(i + 1) }) {
			line = lineNumber().ReplaceAllString(line, "")
			s.learn(line)
			all.WriteString(squeezed(line))
		}
	}
	s.squeeze += "\n" + all.String()
}

// symbol adds a symbol and its members.
func (s *Source) symbol(owner string, sym *code.Symbol) {
	name := sym.Name
	if owner != "" {
		name = owner + "." + name
	}
	s.members[name] = true
	s.learn(sym.Name)
	if len(sym.Members) > 0 && len(sym.Bases) == 0 && !slices.ContainsFunc(sym.Members, func(m code.Symbol) bool { return m.Kind == code.Embedded }) {
		s.types[name] = true
	}
	for i := range sym.Members {
		s.symbol(name, &sym.Members[i])
	}
}

func (s *Source) isPlanted(file string, line int) bool {
	return slices.ContainsFunc(s.planted[file], func(p span) bool { return p.holds(line) })
}

// place parses "path:line" or "path:line-line"; the path may be a file name alone if it is
// unique. ok is false if there is no such line.
func (s *Source) place(cite string) (file string, line int, ok bool) {
	cite = strings.Trim(strings.TrimSpace(cite), "`()[]")
	file, number, cut := cutLast(cite, ":")
	if !cut {
		return "", 0, false
	}
	number, _, _ = strings.Cut(strings.TrimPrefix(number, "L"), "-")
	line, err := strconv.Atoi(number)
	file = strings.TrimPrefix(file, "./")
	if _, known := s.files[file]; !known {
		file = s.bases[file]
	}
	return file, line, err == nil && file != "" && line >= 1 && line <= len(s.files[file])
}

// around returns the lines of a file from first to last, as far as it has them.
func (s *Source) around(file string, first, last int) string {
	lines := s.files[file]
	return strings.Join(lines[max(0, first-1):min(len(lines), last)], "\n")
}

func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

func squeezed(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text)
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return sorted(out)
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}
