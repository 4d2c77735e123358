package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// notRun are the commands of README and docs that no test runs, by how they begin, with the reason. All others are run by
// the scripts in testdata/documented.
var notRun = []struct{ page, command, reason string }{
	{"README.md", "make demo", "builds the program and runs it for a minute; .ci/run runs it"},
	{"README.md", "make test", "is what runs this test"},
	{"README.md", "make build", "builds the program that is being tested; .ci/run runs it"},
	{"README.md", "/plugin ", "is typed into Claude Code; make plugin does it with the real client"},
	{"README.md", "brew ", "needs the network and Homebrew"},
	{"README.md", "sudo dpkg", "needs a release and root; scripts/release/check.sh unpacks and runs the packages"},
	{"README.md", "codex ", "needs the network and Codex; make plugin does it with the real client"},
	{"README.md", "copilot ", "needs the network and Copilot CLI; make plugin does it with the real client"},
	{"README.md", "gemini ", "needs the network and Gemini CLI; make plugin does it with the real client"},
	{"CONTRIBUTING.md", "make ", "runs all tests, this one too"},
	{"docs/accuracy.md", "make ", "fetches public code"},
	{"docs/accuracy.md", "scripts/accuracy.sh", "fetches public code"},
	{"docs/accuracy.md", "npm install", "needs the network"},
	{"docs/accuracy.md", "cd <folder> && npx", "needs the network"},
	{"docs/accuracy.md", "REVERSE_SPEC_CALLS=", "needs pairs that compilers made of public code"},
	{"docs/cypher.md", "make oracles", "needs the network"},
	{"docs/cypher.md", "go test", "is a test of its own, which make test runs"},
	{"docs/formats.md", "reverse-spec adopt .kiro/specs/login/requirements.md --interactive", "asks on a terminal; adopt_test.go answers it"},
	{"docs/formats.md", "openspec ", "needs OpenSpec from npm; make formats runs both with it"},
	{"docs/languages.md", "make ", "fetches public code"},
	{"docs/languages.md", "REVERSE_SPEC_CORPORA=", "needs the public code of make corpora"},
	{"docs/mcp-client.md", "reverse-spec mcp tools", "starts a server that npx fetches; testdata/script/mcp.txt does it with one of ours"},
	{"docs/mcp-client.md", "reverse-spec mcp call", "starts a server that npx fetches; testdata/script/mcp.txt does it with one of ours"},
	{"docs/mcp-client.md", "reverse-spec mcp doctor", "starts a server that npx fetches; testdata/script/mcp.txt does it with one of ours"},
	{"docs/models.md", "OPENAI_BASE_URL=", "needs a model on this machine; testdata/script/auth.txt asks a scripted one"},
	{"docs/organisation.md", "createdb ", "makes a database of an example; the scripts have one of their own"},
	{"docs/organisation.md", "psql ", "makes users of a database of an example; the scripts have one of their own"},
	{"docs/organisation.md", "export ", "names a database of an example; the scripts have one of their own"},
	{"docs/organisation.md", "reverse-spec serve", "listens on a port that may be taken; testdata/shared/serve.txt starts it on a free one"},
	{"docs/performance.md", "make ", "measures for minutes, some on public code"},
	{"docs/performance.md", "REVERSE_SPEC_SERVER=0 reverse-spec graph-rag", "is what was measured, on public code; the tests of package main ask with and without a process"},
	{"docs/performance.md", "reverse-spec status", "says which process answers, on public code; the tests of package main read that"},
	{"docs/performance.md", "go test", "measures for minutes"},
	{"docs/performance.md", "REVERSE_SPEC_CORPORA=", "needs the public code of make corpora"},
	{"docs/performance.md", "BENCH_NODES=", "measures for minutes"},
	{"docs/retrieval.md", "make ", "fetches public code"},
	{"docs/retrieval.md", "scripts/retrieval.sh", "fetches public code"},
	{"docs/retrieval.md", "scripts/tokens.sh", "fetches public code, and asks other programs"},
}

// TestDocumentedCommandsRun runs the commands in the code blocks of README and docs, as the scripts in testdata/documented
// say, compares what they print with what the page shows, and fails for a command that is neither run nor in notRun.
// UPDATE=1 puts what is printed into the pages.
func TestDocumentedCommandsRun(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: bash is not installed")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	d := readDocumentation(t)
	t.Run("scripts", func(t *testing.T) { // ends when all scripts have
		d.scripts(t, "testdata/documented", setUpScript)
	})
	withoutStore := "docs/organisation.md"
	t.Run("store", func(t *testing.T) {
		server := pgserver.Start(t)
		withoutStore = ""
		d.scripts(t, "testdata/documented/store", func(e *testscript.Env) error {
			e.Setenv("REVERSE_SPEC_STORE", server.Database())
			return setUpScript(e)
		})
	})
	if t.Failed() {
		return // what follows a failure was not run
	}
	used := make([]bool, len(notRun))
	for _, c := range d.commands {
		listed := slices.IndexFunc(notRun, func(n struct{ page, command, reason string }) bool {
			return n.page == c.page && strings.HasPrefix(c.text, n.command)
		})
		switch {
		case listed >= 0 && c.ran:
			t.Errorf("%s:%d: %s is run, and listed as not run", c.page, c.line, c.text)
		case listed >= 0:
			used[listed] = true
		case !c.ran && c.page != withoutStore:
			t.Errorf("%s:%d: no script in testdata/documented runs %s, and notRun does not say why", c.page, c.line, c.text)
		}
	}
	for i, n := range notRun {
		if !used[i] {
			t.Errorf("%s has no command that begins with %q: remove it from notRun", n.page, n.command)
		}
	}
	if os.Getenv("UPDATE") != "" {
		d.update(t)
	}
}

// scripts runs the scripts in a folder.
func (d *documentation) scripts(t *testing.T, dir string, setUp func(e *testscript.Env) error) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:   dir,
		Setup: setUp,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"documented": d.run, "module": copyModule, "replace": replaceText,
		},
	})
}

// documentedCommand is a command in a code block.
type documentedCommand struct {
	page  string
	line  int // of the command, from 1
	text  string
	shown []string // the lines below it that are its output; nil if none are shown
	first int      // the line of the first of these, from 1

	ran     bool
	printed []string // with UPDATE: what is to be shown instead
}

// documentation is the commands of README and docs.
type documentation struct {
	mu       sync.Mutex
	commands []*documentedCommand
}

// shellPrograms begin commands in blocks without prompts.
var shellPrograms = regexp.MustCompile(`^(?:(?:[A-Z_]+=\S*\s+)*(?:reverse-spec|make|go|npm|npx|git|brew|sudo|openspec|createdb|psql|export|cd|scripts/\S+|codex|copilot|gemini)|/plugin) `)

// textual are the languages of blocks without commands, except the `run:` of YAML.
var textual = []string{"text", "json", "yaml", "go", "markdown", "gitattributes"}

func readDocumentation(t *testing.T) *documentation {
	t.Helper()
	d := &documentation{}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d.commands = append(d.commands, pageCommands(t, filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../"))), strings.Split(string(text), "\n"))...)
	}
	if len(d.commands) < 100 {
		t.Errorf("only %d commands were found", len(d.commands))
	}
	return d
}

// pageCommands returns the commands of a page: those of fenced and of indented blocks, and in README those of tables.
func pageCommands(t *testing.T, page string, lines []string) []*documentedCommand {
	t.Helper()
	var out []*documentedCommand
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if lang, ok := strings.CutPrefix(strings.TrimSpace(line), "```"); ok {
			end := i + 1
			for end < len(lines) && strings.TrimSpace(lines[end]) != "```" {
				end++
			}
			out = append(out, blockCommands(t, page, lang, lines[i+1:end], i+2)...)
			i = end
			continue
		}
		if strings.HasPrefix(line, "    ") && (i == 0 || lines[i-1] == "") {
			end := i
			for end < len(lines) && strings.HasPrefix(lines[end], "    ") {
				end++
			}
			if block := dedent(lines[i:end]); shellPrograms.MatchString(block[0]) {
				out = append(out, blockCommands(t, page, "sh", block, i+1)...)
			}
			i = end
			continue
		}
		if page == "README.md" && strings.HasPrefix(line, "|") {
			for _, m := range codeSpans.FindAllStringSubmatch(line, -1) {
				if shellPrograms.MatchString(m[1]) {
					out = append(out, &documentedCommand{page: page, line: i + 1, text: m[1]})
				}
			}
		}
	}
	return out
}

func dedent(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(line, "    ")
	}
	return out
}

// blockCommands returns the commands of one block, whose first line has a number.
func blockCommands(t *testing.T, page, lang string, block []string, first int) []*documentedCommand {
	t.Helper()
	prompts := slices.ContainsFunc(block, func(l string) bool { return strings.HasPrefix(l, "$ ") })
	var out []*documentedCommand
	add := func(i int, text string) {
		out = append(out, &documentedCommand{page: page, line: first + i, text: withoutComment(text)})
	}
	switch {
	case prompts:
		for i, line := range block {
			if text, ok := strings.CutPrefix(line, "$ "); ok {
				add(i, text)
				continue
			}
			last := out[len(out)-1]
			if last.shown == nil {
				last.first = first + i
			}
			last.shown = append(last.shown, line)
		}
	case lang == "cypher":
		add(0, `reverse-spec query "`+strings.Join(block, " ")+`"`)
	case slices.Contains(textual, lang):
		for i, line := range block {
			if _, text, ok := strings.Cut(line, "run: "); ok && lang == "yaml" {
				add(i, text)
			}
		}
	default:
		for i := 0; i < len(block); i++ {
			text, start := block[i], i
			for i+1 < len(block) && (strings.HasSuffix(text, `\`) || strings.Count(withoutComment(text), `"`)%2 == 1) {
				i++
				text = strings.TrimSuffix(text, `\`) + " " + strings.TrimSpace(block[i])
			}
			if !shellPrograms.MatchString(text + " ") {
				t.Errorf("%s:%d: %q is no command that this test knows; a block of text has a language: %s", page, first+start, text, strings.Join(textual, ", "))
				continue
			}
			add(start, text)
		}
	}
	return out
}

// withoutComment returns a command without the comment behind it.
func withoutComment(text string) string {
	text, _, _ = strings.Cut(text, " # ")
	return strings.TrimSpace(text)
}

// run is the command of scripts: documented [-status n] [-stop] page command. It runs a command of the page in the
// current folder, as a reader would, and compares exit status and output. With -stop it is interrupted when it has printed a line.
func (d *documentation) run(ts *testscript.TestScript, neg bool, args []string) {
	status, stop := 0, false
	for len(args) > 2 {
		switch args[0] {
		case "-status":
			n, err := strconv.Atoi(args[1])
			ts.Check(err)
			status, args = n, args[2:]
		case "-stop":
			stop, args = true, args[1:]
		default:
			ts.Fatalf("documented: %s is no option", args[0])
		}
	}
	if len(args) != 2 || neg {
		ts.Fatalf("usage: documented [-status n] [-stop] page command")
	}
	found := d.find(args[0], args[1])
	if len(found) == 0 {
		ts.Fatalf("%s has no block with the command %s", args[0], args[1])
	}
	shell := args[1]
	if stop {
		shell += ` >address & until [ -s address ]; do :; done; kill -INT $!; wait $!; status=$?; cat address; rm address; exit $status`
	}
	err := ts.Exec("bash", "-o", "pipefail", "-c", shell)
	got := 0
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != status {
		ts.Fatalf("%s: %s: exit status %d instead of %d", args[0], args[1], got, status)
	}
	printed := strings.TrimRight(ts.ReadFile("stdout"), "\n")
	if printed == "" {
		printed = strings.TrimRight(ts.ReadFile("stderr"), "\n")
	}
	for _, c := range found {
		d.judge(ts, c, strings.Split(printed, "\n"))
	}
}

func (d *documentation) find(page, text string) []*documentedCommand {
	var found []*documentedCommand
	for _, c := range d.commands {
		if c.page == page && c.text == text {
			found = append(found, c)
		}
	}
	return found
}

// judge compares what a command printed with what its page shows.
func (d *documentation) judge(ts *testscript.TestScript, c *documentedCommand, printed []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c.ran = true
	if c.shown == nil || shows(c.shown, printed) {
		return
	}
	if os.Getenv("UPDATE") != "" && !strings.Contains(strings.Join(c.shown, "\n"), "…") {
		for _, line := range printed {
			c.printed = append(c.printed, strings.TrimRight(line, " "))
		}
		return
	}
	ts.Fatalf("%s:%d: %s prints\n%s\nand the page shows\n%s", c.page, c.line, c.text, strings.Join(printed, "\n"), strings.Join(c.shown, "\n"))
}

// ports are those of this machine, which differ from run to run.
var ports = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// shows reports whether lines of a page are what was printed: … is any text in a line, and on a line of its own any lines.
func shows(shown, printed []string) bool {
	var re strings.Builder
	for _, line := range shown {
		if line == "…" {
			re.WriteString(`(?:.*\n)*?`)
			continue
		}
		re.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(ports.ReplaceAllString(line, "127.0.0.1:0"), " ")), "…", ".*") + ` *\n`)
	}
	return regexp.MustCompile(`^` + re.String() + `$`).MatchString(ports.ReplaceAllString(strings.Join(printed, "\n"), "127.0.0.1:0") + "\n")
}

// update writes what commands printed into the pages, from the last line to the first.
func (d *documentation) update(t *testing.T) {
	t.Helper()
	for _, c := range slices.Backward(d.commands) {
		if c.printed == nil {
			continue
		}
		path := filepath.Join("..", "..", filepath.FromSlash(c.page))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		lines = slices.Replace(lines, c.first-1, c.first-1+len(c.shown), c.printed...)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// copyModule is the command of scripts: module path folder. It copies a dependency of ours, which readers can fetch, into a folder.
func copyModule(ts *testscript.TestScript, _ bool, args []string) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", args[0]).Output()
	ts.Check(err)
	copyFolder(ts, strings.TrimSpace(string(out)), ts.MkAbs(args[1]))
}

// replaceText is the command of scripts: replace file old new. It replaces a text that is in a file once.
func replaceText(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if strings.Count(text, args[1]) != 1 {
		ts.Fatalf("%s does not have %q once", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// copyFolder copies a folder whose files may be read-only.
func copyFolder(ts *testscript.TestScript, from, to string) {
	if from == "" {
		ts.Fatalf("the module is not on this machine")
	}
	ts.Check(filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("copy %s: %w", path, err)
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	}))
}
