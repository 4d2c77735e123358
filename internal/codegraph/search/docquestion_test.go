package search_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// docQuestions asks for functions by the first sentence of their documentation. It writes the eligible files,
// without documentation, into a folder.
func docQuestions(tb testing.TB, r *repository, corpus string) []question {
	tb.Helper()
	from := r.checkOut(tb, "HEAD")
	var questions []question
	check(tb, filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if err != nil || !d.Type().IsRegular() || !r.asked(rel) {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := lang.Parse(tb.Context(), rel, src, lang.All)
		if err != nil {
			return nil //nolint:nilerr // what no language reads is not asked for
		}
		lines := strings.Split(string(src), "\n")
		each(f.Symbols, "", func(name string, s *code.Symbol) {
			if q, ok := fromDoc(rel, name, s); ok {
				questions = append(questions, q)
			}
		})
		each(f.Symbols, "", func(_ string, s *code.Symbol) { blank(lines, s, path) })
		to := filepath.Join(corpus, rel)
		return cmp.Or(os.MkdirAll(filepath.Dir(to), 0o750), os.WriteFile(to, []byte(strings.Join(lines, "\n")), 0o600))
	}))
	if ready := readyMade(tb, r.queries, "doc.jsonl"); ready != nil {
		return ready
	}
	times := map[string]int{}
	for _, q := range questions {
		times[strings.ToLower(q.Text)]++
	}
	return slices.DeleteFunc(questions, func(q question) bool { return times[strings.ToLower(q.Text)] > 1 })
}

// each calls f with symbols and their members, and with their qualified names.
func each(list []code.Symbol, owner string, f func(name string, s *code.Symbol)) {
	for i := range list {
		name := strings.TrimPrefix(owner+"."+list[i].Name, ".")
		f(name, &list[i])
		each(list[i].Members, name, f)
	}
}

var (
	noQuestion = regexp.MustCompile(`(?i)^\s*(deprecated|todo|fixme|see |@|\{@inheritDoc)`)
	docSection = regexp.MustCompile(`\n\s*\n|\n\s*@\w+|\n\s*:param|\n\s*(Args|Parameters|Returns|Example)s?:`)
	javaTag    = regexp.MustCompile(`\{@(?:link|code|linkplain|value)\s+([^}]*)\}`)
	markup     = regexp.MustCompile(`<[^>]+>|` + "`")
	sphinxRole = regexp.MustCompile(":\\w+:`~?([^`]*)`")
	sentence   = regexp.MustCompile(`[a-z0-9)][.:](\s|$)`)
	spaces     = regexp.MustCompile(`\s+`)
)

// fromDoc makes a question of a function's documentation, where it has some that
// says enough.
func fromDoc(path, name string, s *code.Symbol) (question, bool) {
	if !slices.Contains([]code.Kind{code.Function, code.Method}, s.Kind) || noQuestion.MatchString(s.Doc) || s.EndLine-s.StartLine < 2 {
		return question{}, false
	}
	text := docSection.Split(s.Doc, 2)[0]
	text = sphinxRole.ReplaceAllString(javaTag.ReplaceAllString(text, "$1"), "$1")
	text = strings.TrimSpace(spaces.ReplaceAllString(markup.ReplaceAllString(text, " "), " "))
	if end := sentence.FindStringIndex(text); end != nil {
		text = text[:end[0]+1]
	}
	own := regexp.MustCompile(`\b([A-Za-z_]\w*\.)?` + regexp.QuoteMeta(s.Name[strings.LastIndexByte(s.Name, '.')+1:]) + `\b(\(\))?`)
	text = strings.Trim(spaces.ReplaceAllString(own.ReplaceAllString(text, " "), " "), " -–:,")
	ascii := strings.IndexFunc(text, func(r rune) bool { return r > 127 }) < 0
	q := question{Text: text, Gold: []string{fmt.Sprintf("%s:%d", path, s.StartLine)}, Name: name}
	return q, ascii && len(realWord.FindAllString(text, -1)) >= 4
}

var (
	docString = regexp.MustCompile(`^\s*[rRuUbB]?("""|'''|"|')`)
	notYet    = regexp.MustCompile(`^\s*(@\w|#?\[|(export|type|const|var|import)\s*\(?\s*$)`) // between a comment and what it is of
	directive = regexp.MustCompile(`^\s*//(go:|nolint|\s*\+build)`)
)

// blank empties the lines of a symbol's documentation.
func blank(lines []string, s *code.Symbol, path string) {
	if s.Doc == "" {
		return
	}
	i := s.StartLine - 2
	for i >= 0 && notYet.MatchString(lines[i]) {
		i--
	}
	switch {
	case i >= 0 && strings.HasSuffix(strings.TrimSpace(lines[i]), "*/"):
		for ; i >= 0; i-- {
			begin := strings.HasPrefix(strings.TrimSpace(lines[i]), "/*")
			lines[i] = ""
			if begin {
				break
			}
		}
	case strings.HasSuffix(path, ".rb"):
		for ; i >= 0 && strings.HasPrefix(strings.TrimSpace(lines[i]), "#"); i-- {
			lines[i] = ""
		}
	default:
		for ; i >= 0 && strings.HasPrefix(strings.TrimSpace(lines[i]), "//") && !directive.MatchString(lines[i]); i-- {
			lines[i] = ""
		}
	}
	blankDocString(lines, s)
}

// blankDocString empties the lines of a text at the beginning of a body: Python's
// way.
func blankDocString(lines []string, s *code.Symbol) {
	for i := s.StartLine; i < min(s.EndLine, len(lines)); i++ {
		quote := docString.FindStringSubmatch(lines[i])
		if quote == nil {
			if before := strings.TrimSpace(lines[i-1]); strings.HasSuffix(before, ":") && strings.TrimSpace(lines[i]) != "" {
				return
			}
			continue
		}
		if !strings.HasSuffix(strings.TrimSpace(lines[i-1]), ":") {
			continue
		}
		first, rest := i, lines[i][len(quote[0]):]
		for !strings.Contains(rest, quote[1]) && i+1 < s.EndLine {
			lines[i] = ""
			i++
			rest = lines[i]
		}
		lines[i] = ""
		lines[first] = quote[0][:strings.IndexAny(quote[0], `rRuUbB"'`)] + "pass"
		return
	}
}
