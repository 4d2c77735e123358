package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/procgroup"
)

// command runs the user's own claude command, which is logged in. The request is its standard
// input, the answer is text. It has no tools, none of the user's settings, hooks or servers
// and nothing of the project, and it leaves no session.
type command struct {
	path  string
	model string
}

func openClaudeCLI(c *Choice, _ Options) asker { return &command{path: c.Command, model: c.Model} }

// claudeCLIGrace is the time for the command to exit once it was told to.
const claudeCLIGrace = 2 * time.Second

// loginTime is the time limit for the login check.
const loginTime = 10 * time.Second

func claudeCLIUsable(ctx context.Context, s *Settings) (ok bool, why string) {
	path, err := s.Find("claude")
	switch {
	case err != nil:
		return false, message.Sprintf(ctx, "there is no claude command")
	case !s.AllowClaude:
		return false, message.Sprintf(ctx, "the claude command may not be used: allow it by REVERSE_SPEC_CLAUDE_CLI=1 or llm.claudeCli, or name the provider")
	}
	switch in, known := login(ctx, path); {
	case !known:
		return false, message.Sprintf(ctx, "the claude command does not say whether it is logged in")
	case !in:
		return false, message.Sprintf(ctx, "the claude command is not logged in")
	}
	return true, message.Sprintf(ctx, "the claude command is logged in, and may be used")
}

// claudeCLIComplete also accepts an old command that cannot report whether it is logged in.
func claudeCLIComplete(ctx context.Context, s *Settings, c *Choice) error {
	path, err := s.Find("claude")
	if err != nil {
		return &Error{Kind: KindMissing, note: message.New("there is no claude command"), Err: err, hint: message.New("install Claude Code and log in with it: claude auth login")}
	}
	if len(c.Looked) == 0 { // auto has checked already
		if in, known := login(ctx, path); known && !in {
			return &Error{Kind: KindMissing, note: message.New("the claude command is not logged in"), hint: message.New("claude auth login")}
		}
	}
	c.Command = path
	return nil
}

// login asks the command whether it is logged in; known is false if it cannot tell.
func login(ctx context.Context, path string) (in, known bool) {
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "auth", "status", "--json")
	cmd.Env = ownEnvironment()
	out, _ := run(ctx, cmd, "") // the exit status has the same information
	var status struct {
		LoggedIn *bool `json:"loggedIn"`
	}
	if json.Unmarshal(out, &status) != nil || status.LoggedIn == nil {
		return false, false
	}
	return *status.LoggedIn, true
}

// claudeCLISystem replaces the command's own system prompt, which is about editing files.
const claudeCLISystem = "You answer the request on standard input, with text alone."

func (c *command) ask(ctx context.Context, r Request, got func(string)) (*Answer, error) {
	cmd := exec.CommandContext(ctx, c.path,
		"-p", "--output-format", "json", "--model", c.model, "--system-prompt", claudeCLISystem,
		"--tools", "", "--strict-mcp-config", "--setting-sources", "", "--disable-slash-commands", "--no-session-persistence")
	cmd.Env = append(ownEnvironment(), "CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_MAX_OUTPUT_TOKENS="+strconv.Itoa(r.MaxTokens))
	out, err := run(ctx, cmd, c.prompt(r))
	if err != nil && len(out) == 0 {
		return nil, err
	}
	a, err := c.read(out, err)
	if a != nil {
		got(a.Text)
	}
	return a, err
}

// prompt returns the whole request as a single text.
func (c *command) prompt(r Request) string {
	var b strings.Builder
	part := func(text string) {
		if text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	part(r.System)
	for _, m := range r.Messages {
		if len(r.Messages) > 1 {
			part("[" + string(m.Role) + "]")
		}
		part(m.Text)
	}
	if r.Schema != nil {
		part(r.Schema.inPrompt())
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// commandResult is the last line of output of claude.
type commandResult struct {
	Type    string `json:"type"`
	IsError bool   `json:"is_error"`
	Status  int    `json:"api_error_status"`
	Result  string `json:"result"`
	Stop    string `json:"stop_reason"`
	Usage   struct {
		Input      int `json:"input_tokens"`
		Output     int `json:"output_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
	} `json:"usage"`
	Models map[string]json.RawMessage `json:"modelUsage"`
}

// read parses the command's last line.
func (c *command) read(out []byte, ended error) (*Answer, error) {
	out = bytes.TrimSpace(out)
	out = out[bytes.LastIndexByte(out, '\n')+1:]
	var r commandResult
	if err := json.Unmarshal(out, &r); err != nil || r.Type != "result" {
		if ended != nil {
			return nil, ended
		}
		return nil, &Error{Kind: KindUnreadable, note: message.New("no result in JSON"), Err: err}
	}
	u := r.Usage
	a := &Answer{Text: r.Result, Stop: StopEnd, Model: c.model, Usage: Usage{u.Input, u.Output, u.CacheRead, u.CacheWrite}}
	if len(r.Models) == 1 {
		for name := range r.Models {
			a.Model = name
		}
	}
	switch {
	case r.Stop == "refusal":
		return a, &Error{Kind: KindRefused, Message: r.Result}
	case r.IsError && r.Status > 0:
		return a, &Error{Kind: KindStatus, Status: r.Status, Message: r.Result}
	case r.IsError:
		return a, &Error{Kind: KindUnreachable, Message: r.Result}
	case r.Stop == "max_tokens":
		a.Stop = StopMaxTokens
	}
	return a, nil
}

// mostOutput limits the output that is read, in bytes.
const mostOutput = 64 << 20

// run runs the command in its own process group and an empty folder, and kills the group at
// the end. Its streams are files, so that run returns when the command exits, whoever else
// holds them. A non-zero exit status is an [*Error] with the command's output.
func run(ctx context.Context, cmd *exec.Cmd, in string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "reverse-spec-claude-")
	if err != nil {
		return nil, message.Errorf("make a folder for the claude command: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var files [3]*os.File
	for i, content := range []string{in, "", ""} {
		if files[i], err = scratch(dir, content); err != nil {
			return nil, message.Errorf("make a file for the claude command: %w", err)
		}
		defer func() { _ = files[i].Close() }()
	}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, files[0], files[1], files[2]
	cmd.WaitDelay = claudeCLIGrace
	procgroup.Own(cmd)
	err = cmd.Run()
	procgroup.Kill(cmd)
	switch exit, _ := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case exit != nil:
		return written(files[1], mostOutput), &Error{Kind: KindUnreachable, Message: strings.TrimSuffix(exit.String()+": "+string(written(files[2], mostOfAnError)), ": "), Err: err}
	case err != nil:
		return nil, &Error{Kind: KindUnreachable, Message: err.Error(), Err: err, final: true}
	}
	return written(files[1], mostOutput), nil
}

// scratch creates a file that is removed when it is closed, even if this process is killed;
// where an open file cannot be removed, it is removed with its folder.
func scratch(dir, content string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "stream-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	_, err = f.WriteString(content)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return f, err
}

// written returns the beginning of a file.
func written(f *os.File, most int64) []byte {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, most))
	if err != nil {
		return nil // treated as empty
	}
	return text
}

// ownEnvironment returns the environment of the command: ours without Anthropic's key, which
// would replace its login, and without the variables that would make it part of the session
// that started us.
func ownEnvironment() []string {
	not := []string{"ANTHROPIC_API_KEY", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"}
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(not, name)
	})
}
