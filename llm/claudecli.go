package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// command asks the user's own claude command, which is logged in. It gets the request
// on its standard input and answers with text: no tools, no settings, hooks or servers
// of the user, nothing of the project, and no session is left behind.
type command struct {
	path  string
	model string
}

func openClaudeCLI(c *Choice, _ Options) asker { return &command{path: c.Command, model: c.Model} }

// claudeCLIGrace is how long the command has to end once it was told to.
const claudeCLIGrace = 2 * time.Second

// loginTime is how long the command has to say whether it is logged in.
const loginTime = 10 * time.Second

func claudeCLIUsable(ctx context.Context, s *Settings) (ok bool, why string) {
	path, err := s.Find("claude")
	switch {
	case err != nil:
		return false, "there is no claude command"
	case !s.AllowClaude:
		return false, "the claude command may not be used: allow it by REVERSE_SPEC_CLAUDE_CLI=1 or llm.claudeCli, or name the provider"
	}
	if err := loggedIn(ctx, path); err != nil {
		return false, "the claude command is not logged in"
	}
	return true, "the claude command is logged in, and may be used"
}

func claudeCLIComplete(_ context.Context, s *Settings, c *Choice) error {
	path, err := s.Find("claude")
	if err != nil {
		return &Error{Kind: KindMissing, Message: "未检测到 claude 命令 (there is no claude command)", Err: err, hint: "install Claude Code and log in with it: claude auth login"}
	}
	c.Command = path
	return nil
}

// loggedIn asks the command.
func loggedIn(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	_, err := run(ctx, exec.CommandContext(ctx, path, "auth", "status"), nil)
	return err
}

// claudeCLISystem is in place of the command's own system text, which is about editing
// files.
const claudeCLISystem = "You answer the request on standard input, with text alone."

func (c *command) ask(ctx context.Context, r Request, got func(string)) (*Answer, error) {
	cmd := exec.CommandContext(ctx, c.path,
		"-p", "--output-format", "json", "--model", c.model, "--system-prompt", claudeCLISystem,
		"--tools", "", "--strict-mcp-config", "--setting-sources", "", "--disable-slash-commands", "--no-session-persistence")
	out, err := run(ctx, cmd, strings.NewReader(c.prompt(r)))
	if err != nil && len(out) == 0 {
		return nil, err
	}
	a, err := c.read(out, err)
	if a != nil {
		got(a.Text)
	}
	return a, err
}

// prompt is the whole request as one text.
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

// commandResult is what claude prints at its end.
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

// read takes the command's last line.
func (c *command) read(out []byte, ended error) (*Answer, error) {
	out = bytes.TrimSpace(out)
	out = out[bytes.LastIndexByte(out, '\n')+1:]
	var r commandResult
	if err := json.Unmarshal(out, &r); err != nil || r.Type != "result" {
		if ended != nil {
			return nil, ended
		}
		return nil, &Error{Kind: KindUnreadable, Message: "no result in JSON", Err: err}
	}
	u := r.Usage
	a := &Answer{Text: r.Result, Stop: StopEnd, Model: c.model, Usage: Usage{u.Input, u.Output, u.CacheRead, u.CacheWrite}}
	if len(r.Models) == 1 {
		for name := range r.Models {
			a.Model = name
		}
	}
	switch {
	case r.IsError && r.Status > 0:
		return a, &Error{Kind: KindStatus, Status: r.Status, Message: r.Result}
	case r.IsError:
		return a, &Error{Kind: KindUnreachable, Message: r.Result}
	case r.Stop == "refusal":
		return a, &Error{Kind: KindRefused, Message: r.Result}
	case r.Stop == "max_tokens":
		a.Stop = StopMaxTokens
	}
	return a, nil
}

// mostOutput bounds what is read of a command, in bytes.
const mostOutput = 64 << 20

// run runs the command in a process group of its own, and an empty folder, without
// Anthropic's key: with that it would not use its own login. Nobody of the group is
// left behind. An exit status but 0 is an [*Error] with what the command said.
func run(ctx context.Context, cmd *exec.Cmd, in io.Reader) ([]byte, error) {
	dir, err := os.MkdirTemp("", "reverse-spec-claude-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the claude command: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Stdout, cmd.Stderr = &bounded{to: &out, left: mostOutput}, &bounded{to: &said, left: mostOfAnError}
	cmd.Env = slices.DeleteFunc(os.Environ(), foreign)
	cmd.WaitDelay = claudeCLIGrace
	ownGroup(cmd)
	err = cmd.Run()
	killGroup(cmd)
	switch exit, _ := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case exit != nil:
		return out.Bytes(), &Error{Kind: KindUnreachable, Message: join(exit.String(), said.String()), Err: err}
	case errors.Is(err, exec.ErrWaitDelay): // who was left held the output open
		return out.Bytes(), nil
	case err != nil:
		return nil, &Error{Kind: KindUnreachable, Message: err.Error(), Err: err, final: true}
	}
	return out.Bytes(), nil
}

// foreign tells which variables the command must not see: the key, and those by which
// it would take itself for a part of the session that started us.
func foreign(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"ANTHROPIC_API_KEY", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"}, name)
}

// bounded takes some bytes and drops the rest.
type bounded struct {
	to   *bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left -= n
	_, _ = b.to.Write(p[:n])
	return len(p), nil
}
