package llm_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/llm"
)

// fakeClaude creates a claude command that runs a script, with the folder $DIR for output of
// the script.
type fakeClaude struct{ dir, path string }

func newClaude(t *testing.T, script string) fakeClaude {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the command is a shell script")
	}
	f := fakeClaude{dir: t.TempDir()}
	f.path = filepath.Join(f.dir, "claude")
	if err := os.WriteFile(f.path, []byte("#!/bin/sh\nDIR="+f.dir+"\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f fakeClaude) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (f fakeClaude) find(string) (string, error) { return f.path, nil }

// loggedIn is the answer to the login check.
const loggedIn = `[ "$1" = auth ] && { echo '{"loggedIn": true}'; exit; }` + "\n"

func (f fakeClaude) open(t *testing.T, o llm.Options) llm.Model {
	t.Helper()
	c, err := llm.Choose(t.Context(), llm.Settings{Provider: llm.ClaudeCLI, Find: f.find, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	return c.Open(o)
}

// result is the output of claude 2.1.329, shortened.
const result = `{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"stop_reason":"end_turn","result":"Hello",` +
	`"usage":{"input_tokens":5,"cache_creation_input_tokens":2,"cache_read_input_tokens":7,"output_tokens":3},"modelUsage":{"claude-sonnet-5-5":{}}}`

// TestTheCommandGetsTheRequestOnItsInput, without our key and outside the project.
func TestTheCommandGetsTheRequestOnItsInput(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
	t.Setenv("CLAUDECODE", "1")
	f := newClaude(t, loggedIn+`cat > $DIR/input; printf '<%s>' "$@" > $DIR/args; pwd > $DIR/pwd; ls -A > $DIR/files; env > $DIR/env; echo warning; echo '`+result+`'`)
	got, err := f.open(t, llm.Options{}).Complete(t.Context(), llm.Request{
		System: "be brief", Messages: []llm.Message{{Role: llm.User, Text: "a"}, {Role: llm.Assistant, Text: "b"}, {Role: llm.User, Text: "c"}}, MaxTokens: 77,
	})
	want := &llm.Answer{Text: "Hello", Stop: llm.StopEnd, Model: "claude-sonnet-5-5", Usage: llm.Usage{Input: 5, Output: 3, CacheRead: 7, CacheWrite: 2}, Attempts: 1}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	if diff := cmp.Diff("be brief\n\n[user]\n\na\n\n[assistant]\n\nb\n\n[user]\n\nc\n", f.read(t, "input")); diff != "" {
		t.Error(diff)
	}
	args := "<-p><--output-format><json><--model><sonnet><--system-prompt><You answer the request on standard input, with text alone.>" +
		"<--tools><><--strict-mcp-config><--setting-sources><><--disable-slash-commands><--no-session-persistence>"
	if diff := cmp.Diff(args, f.read(t, "args")); diff != "" {
		t.Error(diff)
	}
	env := f.read(t, "env")
	if strings.Contains(env, "ANTHROPIC_API_KEY") || strings.Contains(env, "CLAUDECODE=") || !strings.Contains(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS=77\n") {
		t.Error(env)
	}
	if f.read(t, "files") != "" {
		t.Error("its folder is not empty")
	}
	if _, err := os.Stat(strings.TrimSpace(f.read(t, "pwd"))); !errors.Is(err, os.ErrNotExist) {
		t.Error("its folder is left behind", err)
	}
}

// TestWhatTheCommandSays is converted to the errors of other providers.
func TestWhatTheCommandSays(t *testing.T) {
	failed := func(fields string) string {
		return `cat > /dev/null; echo '{"type":"result","is_error":true,` + fields + `}'; exit 1`
	}
	second, fourth := 2*time.Second, 4*time.Second
	for name, c := range map[string]struct {
		script string
		want   string
		pauses []time.Duration
	}{
		"a status":         {failed(`"api_error_status":429,"result":"API Error: Request rejected (429)"`), "the claude CLI answered 429: rate limit: API Error: Request rejected (429) (3 attempts)", []time.Duration{second, fourth}},
		"a refused login":  {failed(`"api_error_status":401,"result":"Failed to authenticate"`), "the claude CLI answered 401: the key is not accepted: Failed to authenticate", nil},
		"a refusal":        {failed(`"stop_reason":"refusal","result":"safeguards"`), "the claude CLI refused to answer: safeguards", nil},
		"an old version":   {"echo \"error: unknown option '--tools'\" >&2; exit 1", "the claude CLI cannot be reached: exit status 1: error: unknown option '--tools' (3 attempts)", []time.Duration{second, fourth}},
		"something else":   {"cat; echo hello", "the answer of the claude CLI cannot be read: no result in JSON (3 attempts)", []time.Duration{second, fourth}},
		"no more command":  {"rm $0; exit 1", "the claude CLI cannot be reached", []time.Duration{second}},
		"killed by itself": {"kill -9 $$", "the claude CLI cannot be reached: signal: killed (3 attempts)", []time.Duration{second, fourth}},
	} {
		clock := &testClock{}
		_, err := newClaude(t, loggedIn+c.script).open(t, llm.Options{Clock: clock.clock()}).Complete(t.Context(), ask("hi"))
		if !strings.HasPrefix(text(err), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.pauses, clock.pauses); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestCommandLeavesNoProcessBehind: neither at a timeout, nor if it exits while its children
// run and hold its output open.
func TestCommandLeavesNoProcessBehind(t *testing.T) {
	const grandchild = `sh -c 'trap "" TERM; echo $$ > $DIR/pid.tmp; mv $DIR/pid.tmp $DIR/pid; exec sleep 60' & `
	for name, c := range map[string]struct {
		script string
		failed bool
	}{
		"a hang":                {"export DIR; " + grandchild + "wait", true},
		"an end that is no end": {"export DIR; " + grandchild + "while ! [ -e $DIR/pid ]; do :; done; echo '" + result + "'", false},
	} {
		f := newClaude(t, loggedIn+c.script)
		ctx, cancel := context.WithCancel(t.Context())
		if c.failed {
			go func() { // once the grandchild runs
				for {
					if _, err := os.Stat(filepath.Join(f.dir, "pid")); err == nil || ctx.Err() != nil {
						cancel()
						return
					}
					runtime.Gosched()
				}
			}()
		}
		_, err := f.open(t, llm.Options{}).Complete(ctx, ask("hi"))
		cancel()
		if c.failed != errors.Is(err, context.Canceled) || (!c.failed && err != nil) {
			t.Errorf("%s: %v", name, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(f.read(t, "pid")))
		if err != nil {
			t.Fatal(err)
		}
		if !gone(pid) {
			t.Errorf("%s: process %d is left", name, pid)
		}
	}
}

// gone waits until a killed process has ended; a zombie counts as ended.
func gone(pid int) bool {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); runtime.Gosched() {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			p, err := os.FindProcess(pid)
			return err != nil || p.Signal(syscall.Signal(0)) != nil
		}
		if strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}
