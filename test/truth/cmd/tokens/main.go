// Command tokens measures what an agent pays for finding code: the tokens of definitions and of answers, and how many it reads
// until the right place appears. It asks reverse-spec, ripgrep and other programs the same questions; see scripts/tokens.sh.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tiktoken-go/tokenizer"
)

// The goals: the tokens of the definitions of the tools that a server has by default, and of an answer of orient.
const (
	definitionGoal = 2500
	answerGoal     = 1500
)

// question is a question of questions.json, which the test in internal/codegraph/search writes.
type question struct {
	Repository, Kind, Tree, Text string
	Files, Functions             []string
}

func main() {
	program := flag.String("program", "", "reverse-spec")
	codegraph := flag.String("codegraph", "", "CodeGraph; empty if it is not installed")
	openlore := flag.String("openlore", "", "OpenLore; empty if it is not installed")
	ripgrep := flag.String("ripgrep", "", "ripgrep; empty if it is not installed")
	questions := flag.String("questions", "", "`folder` with questions.json and the trees")
	flag.Parse()
	ok, err := run(context.Background(), os.Stdout, *questions, []asker{
		&server{name: "orient", index: [][]string{{*program, "index", "-q"}}, serve: []string{*program, "mcp-server", "--no-proxy"}, tool: "orient", argument: "task", goal: answerGoal},
		&server{name: "ci_graph_rag", index: [][]string{{*program, "index", "-q"}}, serve: []string{*program, "mcp-server", "--no-proxy"}, tool: "ci_graph_rag", argument: "query"},
		&grep{program: *ripgrep},
		&server{name: "CodeGraph", index: [][]string{{*codegraph, "init", "--yes", "."}}, serve: []string{*codegraph, "serve", "--mcp"}, tool: "codegraph_explore", argument: "query"},
		&server{name: "OpenLore", index: [][]string{{*openlore, "init", "--force"}, {*openlore, "analyze", "--no-embed"}}, serve: []string{*openlore, "mcp"}, tool: "orient", argument: "task"},
	})
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	case !ok:
		os.Exit(3)
	}
}

// asker is a program that is asked.
type asker interface {
	title() string
	installed() bool
	// open makes the program ready for questions about the code in a folder.
	open(ctx context.Context, dir string) error
	ask(ctx context.Context, text string) (string, error)
	close() error
	// definitions are what a model reads of it with each task; nil for none.
	definitions() []string
	// most is the number of tokens that no answer may exceed; 0 for any.
	most() int
}

// run prints the tables, and reports whether all goals are met.
func run(ctx context.Context, w io.Writer, dir string, askers []asker) (bool, error) {
	count, err := counter()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "questions.json"))
	if err != nil {
		return false, err
	}
	var questions []question
	if err := json.Unmarshal(text, &questions); err != nil {
		return false, fmt.Errorf("questions.json: %w", err)
	}
	met := true
	var rows []row
	for _, a := range askers {
		if !a.installed() {
			fmt.Fprintf(w, "%s is not installed: left out\n", a.title())
			continue
		}
		r, err := askAll(ctx, a, dir, questions, count)
		if err != nil {
			fmt.Fprintf(w, "%s: %v: left out\n", a.title(), err)
			met = met && a.most() == 0
			continue
		}
		rows = append(rows, r)
	}
	fmt.Fprintf(w, "\n%d questions about %d repositories; tokens are o200k_base\n\n", len(questions), len(repositories(questions)))
	fmt.Fprintln(w, "| | definitions | answer, median | p90 | most | found: doc -> function | commit -> file | commit -> function | tokens until found, median | p90 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Fprintln(w, r)
	}
	for _, r := range rows {
		if r.goal == 0 {
			continue
		}
		if r.definitions > definitionGoal {
			fmt.Fprintf(w, "the definitions have %d tokens, and the goal is %d\n", r.definitions, definitionGoal)
			met = false
		}
		if n := slices.Max(r.answers); n > r.goal {
			fmt.Fprintf(w, "an answer of %s has %d tokens, and the goal is %d\n", r.title, n, r.goal)
			met = false
		}
	}
	return met, nil
}

// counter returns a function that counts tokens.
func counter() (func(string) int, error) {
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	return func(text string) int {
		n, err := enc.Count(text)
		if err != nil {
			return len(text) / 4
		}
		return n
	}, err
}

func repositories(questions []question) map[string]bool {
	out := map[string]bool{}
	for _, q := range questions {
		out[q.Repository] = true
	}
	return out
}

// row is what was measured of a program.
type row struct {
	title       string
	goal        int
	definitions int
	answers     []int // tokens of each answer
	until       []int // tokens until the first answer that was found
	found       map[string][2]int
}

func (r row) String() string {
	share := func(kind string) string {
		if f := r.found[kind]; f[1] > 0 {
			return fmt.Sprintf("%.2f", float64(f[0])/float64(f[1]))
		}
		return "-"
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %s | %s | %d | %d |", r.title, r.definitions,
		part(r.answers, .5), part(r.answers, .9), part(r.answers, 1), share("doc"), share("file"), share("function"), part(r.until, .5), part(r.until, .9))
}

// part returns the value below which a part of a list is; 0 of an empty one.
func part(list []int, p float64) int {
	if len(list) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(list))[min(len(list)-1, int(p*float64(len(list))))]
}

// askAll asks one program all questions, tree by tree.
func askAll(ctx context.Context, a asker, dir string, questions []question, count func(string) int) (row, error) {
	r := row{title: a.title(), goal: a.most(), found: map[string][2]int{}}
	byTree := map[string][]question{}
	for _, q := range questions {
		byTree[q.Tree] = append(byTree[q.Tree], q)
	}
	for tree, list := range byTree {
		if err := a.open(ctx, filepath.Join(dir, filepath.FromSlash(tree))); err != nil {
			return r, errors.Join(fmt.Errorf("%s: %w", tree, err), a.close())
		}
		r.definitions = 0
		for _, d := range a.definitions() {
			r.definitions += count(d)
		}
		for _, q := range list {
			text, err := a.ask(ctx, q.Text)
			if err != nil {
				return r, errors.Join(fmt.Errorf("%s: %q: %w", tree, q.Text, err), a.close())
			}
			r.add(q, text, count)
		}
		if err := a.close(); err != nil {
			return r, err
		}
	}
	return r, nil
}

// add counts an answer.
func (r *row) add(q question, answer string, count func(string) int) {
	r.answers = append(r.answers, count(answer))
	note := func(kind string, at int) {
		f := r.found[kind]
		f[1]++
		if at >= 0 {
			f[0]++
		}
		r.found[kind] = f
	}
	function := -1
	if len(q.Functions) > 0 {
		function = firstFunction(answer, q.Functions)
	}
	if q.Kind == "doc" {
		note("doc", function)
	} else {
		note("file", firstFile(answer, q.Files))
		if len(q.Functions) > 0 {
			note("function", function)
		}
	}
	if function >= 0 {
		r.until = append(r.until, count(answer[:function]))
	}
}

// firstFile returns where an answer has named one of the files, as an offset; -1 if it does not.
func firstFile(answer string, files []string) int {
	at := -1
	for _, f := range files {
		if i := strings.Index(answer, f); i >= 0 && (at < 0 || i+len(f) < at) {
			at = i + len(f)
		}
	}
	return at
}

// somePath matches paths of source files.
var somePath = regexp.MustCompile(`[\w@.+-]+(?:/[\w@.+-]+)*\.(?:go|ts|tsx|js|py|rs|java|kt|php|rb|cs)\b`)

// firstFunction returns where an answer has named one of the functions: the name on a line with the path of its file, at most two lines
// before such a line, as JSON has it, or behind it and before one with another path. It is -1 if the answer does not.
func firstFunction(answer string, functions []string) int {
	lines := strings.SplitAfter(answer, "\n")
	first := -1
	for _, f := range functions {
		path, name, _ := strings.Cut(f, ":")
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		in, at := false, 0
		for i, line := range lines {
			if paths := somePath.FindAllString(line, -1); len(paths) > 0 {
				in = strings.Contains(line, path)
			}
			soon := in
			for _, next := range lines[i:min(i+3, len(lines))] {
				soon = soon || strings.Contains(next, path)
			}
			if m := word.FindStringIndex(strings.ReplaceAll(line, path, strings.Repeat(" ", len(path)))); soon && m != nil {
				if first < 0 || at+m[1] < first {
					first = at + m[1]
				}
				break
			}
			at += len(line)
		}
	}
	return first
}
