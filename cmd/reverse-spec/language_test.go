package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// The project that commands work on. It has no Chinese text, and no English that could be
// mistaken for one of our messages.
var speechless = map[string]string{
	"go.mod": "module shop\n\ngo 1.26\n",
	"till/till.go": `package till

import "errors"

var ErrEmpty = errors.New("empty")

const Most = 100

type Till struct{ sum int }

func (t *Till) Pay(amount int) error {
	if amount <= 0 {
		return ErrEmpty
	}
	t.sum += amount
	return nil
}

func Sum(t *Till) int { return t.sum }
`,
	"till/till_test.go": `package till_test

import (
	"testing"

	"shop/till"
)

func TestPay(t *testing.T) {
	var x till.Till
	if err := x.Pay(0); err == nil {
		t.Fatal(err)
	}
	if err := x.Pay(2); err != nil || till.Sum(&x) != 2 {
		t.Fatal(err)
	}
}
`,
	"shop.go":    "package shop\n\nimport \"shop/till\"\n\nfunc Buy(t *till.Till) error { return t.Pay(1) }\n",
	"web/app.py": "import os\n\nclass App:\n    def run(self, port=80):\n        if port < 0:\n            raise ValueError('port')\n        return os.getenv('HOME')\n\ndef main():\n    return App().run()\n",
	"broken.ts":  "export function f( {\n",
	"image.bin":  "\x00\x01",
}

// spoken are command lines with and without errors, for every command. A last word that begins
// with "<" is standard input.
var spoken = []string{
	"", "version", "nonsense", "batch --nonsense", "batch --workers x", "batch a b c",
	"generate till", "generate till --json", "generate till --stdout", "generate nothing/here", "generate ../outside", "generate broken.ts",
	"generate till --check", "generate", "generate --stdout --json till", "generate image.bin", "generate till --provider nobody", "generate till --provider anthropic",
	"batch --dry-run", "batch --no-llm", "batch", "batch --json --force", "batch --base nowhere", "batch --output-dir ../x",
	"prepare till", "prepare till --json", "prepare nothing", "prepare till --format yaml", "prepare . --max-tokens 300", "prepare till --show-redactions",
	"diff specs/till.spec.md", "diff specs/till.spec.md --json", "diff specs/till.spec.md --format md", "diff --base HEAD~1 till", "diff --base HEAD~1 till --json", "diff --base nowhere till", "diff nothing.spec.md", "diff", "diff --base HEAD till",
	"verify specs/till.spec.md", "verify --list --all", "verify --json specs/till.spec.md", "verify nothing.spec.md", "verify --only CT-NONE-001 specs/till.spec.md", "verify --junit - specs/till.spec.md", "verify",
	"index", "index --json", "index --force", "index --scip nothing.scip", "status", "status --json", "projects", "projects --json",
	"snippet Till.Pay", "snippet Nothing", "snippet Pay --json", "graph", "graph Till.Pay --format dot", "graph --format x", "graph Nothing",
	"impact Till.Pay", "impact Till.Pay --json", "impact Nothing", "impact Buy", "call-chain Till.Pay", "call-chain Pay --json", "call-chain Nothing", "call-chain Till.Pay --direction up",
	"query List all classes", "query who calls Pay", "query who loves Pay", "query MATCH (n:Nothing) RETURN n", "query MATCH (n RETURN n", "query CREATE (n)", "query --explain List all classes", "query MATCH (n:Function) RETURN n.name LIMIT 1 --json", "query RETURN 1/0", "query MATCH (n) RETURN foo(n)",
	"graph-rag pay", "graph-rag pay --format json", "graph-rag pay --rerank", "graph-rag zzzz", "graph-rag pay --fusion-depth 9", "graph-rag pay --fusion-depth abc", "graph-rag pay --fusion-depth abc --format json", "graph-rag pay --include-virtual", "graph-rag pay --budget 1", "graph-rag", "graph-rag pay --format yaml",
	"federate", "federate --config nothing.yaml", "federate --edges Pay", "federate --json",
	"read-file shop.go", "read-file nothing.go", "read-file image.bin", "read-file ../x", "read-file shop.go --limit 1", "list", "list nothing", "list till", "write-file made.txt <x", "write-file .git/x <x", "write-file ../x <x", "replace shop.go nothing something", "replace shop.go 1 2", "replace",
	"auth", "auth --json", "auth --provider openai", "auth --provider nobody",
	"mcp list", "mcp add", "mcp add x --transport http", "mcp add there -- nothing-of-this-name", "mcp list", "mcp doctor", "mcp tools there", "mcp call there tool", "mcp call nowhere tool", "mcp approve", "mcp approve nowhere", "mcp resources", "mcp read nowhere x:y", "mcp remove there", "mcp remove there",
	"init --dry-run --target claude,codex,gemini,cursor,vscode", "init --target nobody", "init --remove --dry-run",
	"hook session-start", "hook post-edit <{\"tool_input\":{\"file_path\":\"till/till.go\"}}", "hook nothing",
	"delete-project nothing", "wipe-database", "wipe-database --confirm", "delete-project",
	"view --port x", "completion nothing", "help", "help nothing",
}

// speakers returns the ways to choose each language, and what must not appear in it.
func speakers() map[string]struct {
	env     []string
	foreign *regexp.Regexp
} {
	return map[string]struct {
		env     []string
		foreign *regexp.Regexp
	}{
		"LANG=en_US.UTF-8":           {[]string{"LANG=en_US.UTF-8"}, chinese},
		"LANG=C":                     {[]string{"LANG=C"}, chinese},
		"LANG=zh_CN.UTF-8":           {[]string{"LANG=zh_CN.UTF-8"}, english},
		"REVERSE_SPEC_LANG=zh":       {[]string{"LANG=C", "REVERSE_SPEC_LANG=zh"}, english},
		"LANG=zh, REVERSE_SPEC_LANG": {[]string{"LANG=zh_CN.UTF-8", "REVERSE_SPEC_LANG=en"}, chinese},
	}
}

// TestEveryCommandSpeaksOneLanguage runs the program in each locale: all output, files and
// pages of view must be in one language.
func TestEveryCommandSpeaksOneLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command in five locales")
	}
	for name, s := range speakers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := speechlessProject(t)
			home := t.TempDir()
			env := append(quietEnvironment(home), s.env...)
			check := func(what, text string) {
				t.Helper()
				for line := range strings.Lines(text) {
					if at := s.foreign.FindString(plainText(line)); at != "" {
						t.Errorf("%s: %q in %q", what, strings.TrimSpace(at), strings.TrimSpace(line))
					}
				}
			}
			for _, line := range spoken {
				out, errs := speak(t, dir, env, line)
				check(line+" (stdout)", out)
				check(line+" (stderr)", errs)
			}
			for _, line := range helpLines() {
				out, _ := speak(t, dir, env, line)
				check(line, out)
			}
			checkFiles(t, dir, check)
			checkPages(t, dir, env, check)
		})
	}
}

// helpLines returns the command lines for the help of every command.
func helpLines() []string {
	var lines []string
	eachCommand(newRoot(streams{}, "en"), func(c *cobra.Command) {
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "reverse-spec")+" --help"))
	})
	return lines
}

// plainText removes language-independent parts of a line: code between backquotes, quoted
// texts, places, commands, addresses, lines of code in a diff, lists of names.
func plainText(line string) string {
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "reverse-spec ") || strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "$ ") ||
		strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "+ ") || strings.Contains(trimmed, "claude plugin") {
		return ""
	}
	for _, p := range []*regexp.Regexp{notProse, quoted, names} {
		line = p.ReplaceAllString(line, "§")
	}
	return line
}

var (
	notProse = regexp.MustCompile("`[^`]*`|reverse-spec [a-z-]+( [a-z<>\\[\\]-]+)*|https?://\\S+|--[a-z-]+")
	names    = regexp.MustCompile(`([a-z-]+, ){2,}[a-z-]+|[a-zA-Z.]+\([^)]*\)`)
	quoted   = regexp.MustCompile(`"[^"]*"|'[^']*'`)
)

// quietEnvironment returns an environment without settings of this machine's user.
func quietEnvironment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "REVERSE_SPEC_HOME=" + filepath.Join(home, "graphs"), "GIT_CONFIG_GLOBAL=/dev/null", "CKB_UNAVAILABLE=1",
		"GOCACHE=" + filepath.Join(home, "go"), "GOFLAGS=-mod=mod", "GOROOT=" + os.Getenv("GOROOT"), "GOPATH=" + filepath.Join(home, "gopath"), "GOTOOLCHAIN=local", "GOTELEMETRY=off",
	}
}

// speechlessProject returns a git repository whose last commit changed something.
func speechlessProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for name, text := range speechless {
		write(name, text)
	}
	write("till/gone.go", "package till\n\nfunc Gone(a int, b string) (int, error) { return 0, nil }\n")
	write("till/kept.go", "package till\n\ntype Kept interface{ Do(a int) }\n\nfunc Count(a, b int) int { return a }\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "1")
	if err := os.Remove(filepath.Join(dir, "till", "gone.go")); err != nil {
		t.Fatal(err)
	}
	write("till/kept.go", "package till\n\ntype Kept interface {\n\tDo(a string)\n\tMore()\n}\n\nfunc Count(b, a int) int { return b + 1 }\n\nfunc New() {}\n")
	git("add", "-A")
	git("commit", "-qm", "2")
	return dir
}

// speak runs a command line of [spoken].
func speak(t *testing.T, dir string, env []string, line string) (stdout, stderr string) {
	t.Helper()
	line, input, _ := strings.Cut(line, " <")
	args := strings.Fields(line)
	if len(args) > 1 && args[0] == "query" { // a question is one argument, except for its flags
		words, flags := []string{}, []string{}
		for _, a := range args[1:] {
			if strings.HasPrefix(a, "--") {
				flags = append(flags, a)
			} else {
				words = append(words, a)
			}
		}
		args = append([]string{"query", strings.Join(words, " ")}, flags...)
	}
	cmd := exec.CommandContext(t.Context(), "reverse-spec", args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, env, strings.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatalf("%s: %v", line, err)
	}
	return readable(out.String()), errs.String()
}

// readable returns the text that people read; for JSON the strings, but not field names or
// quoted code.
func readable(out string) string {
	var v any
	if json.Unmarshal([]byte(out), &v) != nil {
		return out
	}
	var b strings.Builder
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(k, e)
			}
		case []any:
			for _, e := range v {
				walk(name, e)
			}
		case string:
			if name != "content" && name != "context" && name != "signature" && name != "docComment" && name != "query_used" {
				b.WriteString(v + "\n")
			}
		}
	}
	walk("", v)
	return b.String()
}

// checkFiles checks the files that commands wrote into the project.
func checkFiles(t *testing.T, dir string, check func(what, text string)) {
	t.Helper()
	written := 0
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		written++
		text, err := os.ReadFile(file)
		rel, _ := filepath.Rel(dir, file)
		check(rel, prose(string(text)))
		return err
	})
	if err != nil || written == 0 {
		t.Fatalf("%d files were written: %v", written, err)
	}
}

// prose returns Markdown without code blocks, front matter and comments.
func prose(text string) string {
	text = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?s)\A---\n.*?\n---\n`).ReplaceAllString(text, "")
	return regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllString(text, "")
}

// checkPages checks the pages of view.
func checkPages(t *testing.T, dir string, env []string, check func(what, text string)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "reverse-spec", "view", "--open=false")
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	buffer := make([]byte, 1000)
	n, _ := out.Read(buffer)
	address := regexp.MustCompile(`http://[0-9.:]+`).FindString(string(buffer[:n]))
	if address == "" {
		t.Fatalf("view gave no address: %q", buffer[:n])
	}
	client := &http.Client{Timeout: time.Minute}
	tag := regexp.MustCompile(`(?s)<(script|style|code|pre|svg).*?</(script|style|code|pre|svg)>|<[^>]*>`)
	for _, page := range []string{"/", "/spec/specs/till.spec.md", "/drift/specs/till.spec.md", "/badge/specs/till.spec.md", "/modules", "/modules/picture", "/source/till/till.go", "/nothing"} {
		r, err := client.Get(address + page)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		check("view "+page, tag.ReplaceAllString(string(text), "\n"))
	}
}
