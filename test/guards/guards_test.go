// Package guards compares the exits that the program finds in public code, and the path
// conditions that it gives them, with labels made by reading: the files beside this one.
package guards_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// What the comparison must reach. A condition is silently wrong if it says more or less than
// the label and is not marked as said in part.
const (
	leastRight = 0.98
	mostWrong  = 0
)

// exitsOf returns the exits of a file, by what the program reads of it.
func exitsOf(t *testing.T, path string, src []byte) []*exit {
	t.Helper()
	f, err := lang.Parse(context.Background(), path, src, lang.Bodies)
	if err != nil {
		t.Fatal(err)
	}
	if f.Test || f.Bodies == nil {
		return nil
	}
	var out []*exit
	for _, x := range paths.Exits([][]code.Body{f.Bodies.Functions})[0] {
		if x.PassesOn && x.Message == "" {
			continue
		}
		e := &exit{
			in: x.In, lines: span{x.Line, x.Line}, kind: string(x.Kind), error: x.Error, message: x.Message, status: x.Status, closure: string(x.Use.Kind), partial: x.Partial,
		}
		for _, term := range x.When {
			e.when = append(e.when, term.Text)
		}
		out = append(out, e)
	}
	return out
}

// details are what is compared of an exit beside its condition.
var details = []string{"symbol", "error", "message", "status", "closure"}

// score counts what was compared in one language.
type score struct {
	exits, right, flagged, wrong, missing, false int
	same, labelled                               [5]int // of each of details
}

func (s *score) share() float64 { return float64(s.right) / float64(max(1, s.exits+s.false)) }

func (s *score) row(name string) string {
	row := fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %.3f |", name, s.exits, s.right, s.flagged, s.wrong, s.missing, s.false, s.share())
	for i := range details {
		row += fmt.Sprintf(" %d of %d |", s.same[i], s.labelled[i])
	}
	return row
}

func (s *score) add(o *score) {
	s.exits += o.exits
	s.right += o.right
	s.flagged += o.flagged
	s.wrong += o.wrong
	s.missing += o.missing
	s.false += o.false
	for i := range details {
		s.same[i] += o.same[i]
		s.labelled[i] += o.labelled[i]
	}
}

// TestGuards compares the exits of the files below REVERSE_SPEC_GUARDS, which holds a folder
// for each file of labels, and prints each difference and the table of docs/accuracy.md.
func TestGuards(t *testing.T) {
	scores := map[string]*score{}
	eachSource(t, func(r *repository, f *file, src string) {
		if scores[r.language] == nil {
			scores[r.language] = &score{}
		}
		ours := exitsOf(t, f.path, []byte(src))
		for _, fn := range f.functions {
			scores[r.language].function(r.language, f.path, fn, ours)
		}
	})
	sum := &score{}
	rows := []string{
		"| language | exits | right | flagged | silently wrong | missing | false | share | " + strings.Join(details, " | ") + " |",
		"| --- |" + strings.Repeat(" ---: |", 7+len(details)),
	}
	for _, language := range slices.Sorted(maps.Keys(scores)) {
		rows = append(rows, scores[language].row(language))
		sum.add(scores[language])
	}
	fmt.Fprintln(os.Stdout, strings.Join(append(rows, sum.row("all")), "\n"))
	if sum.share() < leastRight || sum.wrong > mostWrong {
		t.Errorf("%.3f right, %d silently wrong; at least %.2f and at most %d are wanted", sum.share(), sum.wrong, leastRight, mostWrong)
	}
}

// eachSource calls visit with each labelled file that was fetched, and its text.
func eachSource(t *testing.T, visit func(r *repository, f *file, src string)) {
	t.Helper()
	root := os.Getenv("REVERSE_SPEC_GUARDS")
	if root == "" {
		t.Skip("no code to compare with in REVERSE_SPEC_GUARDS: run make guards")
	}
	for _, r := range readLabels(t) {
		folder := filepath.Join(root, strings.ReplaceAll(r.name, "/", "+"))
		if _, err := os.Stat(folder); err != nil {
			continue // said by the script that fetches it
		}
		for _, f := range r.files {
			src, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(f.path)))
			if err != nil {
				t.Fatal(err)
			}
			visit(r, f, string(src))
		}
	}
}

// function compares one function.
func (s *score) function(language, path string, fn *function, ours []*exit) {
	report := func(what string, line int, format string, args ...any) {
		fmt.Fprintf(os.Stdout, "%s: %s:%d %s: %s\n", what, path, line, fn.name, fmt.Sprintf(format, args...))
	}
	found := map[*exit]*exit{}
	for _, e := range ours {
		line := e.lines.from
		if !fn.lines.has(line) || slices.ContainsFunc(fn.passed, func(s span) bool { return s.has(line) }) {
			continue
		}
		at := slices.IndexFunc(fn.exits, func(l *exit) bool { return l.lines.has(line) && found[l] == nil })
		if at < 0 {
			s.false++
			report("false", line, "%s %s %q when %q", e.kind, e.error, e.message, e.when)
			continue
		}
		found[fn.exits[at]] = e
	}
	s.exits += len(fn.exits)
	for _, label := range fn.exits {
		e, line := found[label], label.lines.from
		if e == nil {
			s.missing++
			report("missing", line, "%s %s when %q", label.kind, label.error, label.when)
			continue
		}
		switch same := agree(language, fn, label, e, asserted(fn, ours)); {
		case same || e.partial && label.partial:
			s.right++
		case e.partial:
			s.flagged++
			report("flagged", line, "%q\n    label: %q unless %v", e.when, label.when, label.unless)
		default:
			s.wrong++
			report("wrong", line, "%q\n    label: %q unless %v", e.when, label.when, label.unless)
		}
		for i, d := range [][2]string{
			{lastName(e.in), lastName(label.in)},
			{e.kind + " " + lastName(e.error), label.kind + " " + lastName(label.error)},
			{words(e.message), words(label.message)},
			{e.status, label.status},
			{firstWord(e.closure), firstWord(label.closure)},
		} {
			if d[1] == "" || i == 1 && label.error == "" {
				continue // not labelled
			}
			s.labelled[i]++
			if d[0] == d[1] {
				s.same[i]++
			} else {
				report(details[i], line, "%q\n    label: %q", d[0], d[1])
			}
		}
	}
}

// lastName returns the last part of a qualified name.
func lastName(name string) string {
	name = strings.NewReplacer("::", ".", "->", ".", `\`, ".").Replace(name)
	return name[strings.LastIndexByte(name, '.')+1:]
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// words returns a message without spaces at its ends and runs of them inside, and without
// what stands for concatenated parts at its end.
func words(message string) string {
	return strings.Join(strings.Fields(strings.TrimRight(message, "… ")), " ")
}

var success = regexp.MustCompile(`^(\w*[eE]rr) == nil$`)

// agree reports whether the conditions say the same: all that the label says, and nothing
// that does not follow from it and from what may be said besides.
func agree(language string, fn *function, label, ours *exit, free []*term) bool {
	said := parseTerms(ours.when)
	want := conditions(fn, label)
	free = append(free, parseTerms(label.optional)...)
	if language == "Go" { // going on after success is what a reader assumes
		said, free = dropSuccess(said, free)
		want, free = dropSuccess(want, free)
		free = append(free, successes(said, want)...)
	}
	if !satisfiable(append(want, exclusions(want)...)) { // two variables of one name
		return slices.Equal(sorted(said), sorted(want))
	}
	return follows(append(slices.Clone(want), free...), all(said...)) && follows(said, all(want...))
}

// asserted returns what holds after the assertions that may be reported.
func asserted(fn *function, ours []*exit) []*term {
	var out []*term
	for _, e := range ours {
		if !e.partial && slices.ContainsFunc(fn.may, func(s span) bool { return s.has(e.lines.from) }) {
			out = append(out, not(all(parseTerms(e.when)...)))
		}
	}
	return out
}

// conditions returns what a label says, with the earlier exits that were not taken.
func conditions(fn *function, label *exit) []*term {
	terms := parseTerms(label.when)
	for _, line := range label.unless {
		terms = append(terms, not(all(conditions(fn, fn.resolve(line))...)))
	}
	return terms
}

// dropSuccess moves terms that say that a callee gave no error to those that may be said.
func dropSuccess(terms, free []*term) (left, freer []*term) {
	for _, t := range terms {
		if name, value, ok := t.literal(); ok && value && success.MatchString(name) {
			free = append(free, t)
		} else {
			left = append(left, t)
		}
	}
	return left, free
}

// successes returns the terms that say that no callee gave an error, where that is possible.
func successes(said, want []*term) []*term {
	names := map[string]bool{}
	all(said...).atoms(names)
	var out []*term
	for name := range names {
		if success.MatchString(name) && satisfiable(append(slices.Clone(want), atom(name))) {
			out = append(out, atom(name))
		}
	}
	return out
}

func sorted(terms []*term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, t.text())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *term) text() string {
	if t.op == 'a' {
		return t.atom
	}
	parts := []string{string(t.op)}
	for _, part := range t.of {
		parts = append(parts, "("+part.text()+")")
	}
	return strings.Join(parts, " ")
}
