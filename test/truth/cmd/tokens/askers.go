package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// server is a program that is asked over MCP.
type server struct {
	name     string
	index    [][]string // commands that make the index of the folder they run in
	serve    []string
	tool     string
	argument string // of the tool, for the question
	goal     int

	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	id    int
	tools []string
}

func (s *server) title() string         { return s.name }
func (s *server) installed() bool       { return s.serve[0] != "" }
func (s *server) definitions() []string { return s.tools }
func (s *server) most() int             { return s.goal }

func (s *server) open(ctx context.Context, dir string) error {
	for _, command := range s.index {
		ready := exec.CommandContext(ctx, command[0], command[1:]...)
		ready.Dir = dir
		if out, err := ready.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, out)
		}
	}
	s.cmd = exec.CommandContext(ctx, s.serve[0], s.serve[1:]...)
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), "CODEGRAPH_TELEMETRY=0", "DO_NOT_TRACK=1")
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return err
	}
	var hello struct{ Instructions string }
	if err := s.call("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "tokens", "version": "1"},
	}, &hello); err != nil {
		return err
	}
	if _, err := io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return err
	}
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
	}
	if err := s.call("tools/list", map[string]any{}, &list); err != nil {
		return err
	}
	s.tools = []string{hello.Instructions}
	for _, t := range list.Tools {
		text, err := json.Marshal(t)
		if err != nil {
			return err
		}
		s.tools = append(s.tools, string(text))
	}
	return nil
}

// call sends a request and decodes its result.
func (s *server) call(method string, params, result any) error {
	s.id++
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		return err
	}
	if _, err := s.in.Write(append(text, '\n')); err != nil {
		return err
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		var answer struct {
			ID     int
			Method string
			Result json.RawMessage
			Error  json.RawMessage
		}
		if json.Unmarshal(line, &answer) != nil || answer.ID != s.id || answer.Method != "" {
			continue // a notification, or a request of the server
		}
		if answer.Error != nil {
			return fmt.Errorf("%s: %s", method, answer.Error)
		}
		return json.Unmarshal(answer.Result, result)
	}
}

func (s *server) ask(_ context.Context, text string) (string, error) {
	var result struct{ Content []struct{ Text string } }
	err := s.call("tools/call", map[string]any{"name": s.tool, "arguments": map[string]any{s.argument: text}}, &result)
	var all strings.Builder
	for _, c := range result.Content {
		all.WriteString(c.Text)
	}
	return all.String(), err
}

func (s *server) close() error {
	if s.cmd == nil || s.cmd.Process == nil {
		return nil
	}
	err := s.in.Close()
	stop := time.AfterFunc(5*time.Second, func() { _ = s.cmd.Process.Kill() }) // some do not end with their input
	_ = s.cmd.Wait()
	stop.Stop()
	s.cmd = nil
	return err
}

// grep is ripgrep, asked for the words of a question as an agent would that knows none of the names.
type grep struct {
	program string
	dir     string
}

func (g *grep) title() string                          { return "ripgrep" }
func (g *grep) installed() bool                        { return g.program != "" }
func (g *grep) open(_ context.Context, d string) error { g.dir = d; return nil }
func (g *grep) close() error                           { return nil }
func (g *grep) definitions() []string                  { return nil }
func (g *grep) most() int                              { return 0 }

// contentWord matches the words of a question that ripgrep is asked for.
var contentWord = regexp.MustCompile(`[A-Za-z_]{4,}`)

func (g *grep) ask(ctx context.Context, text string) (string, error) {
	words := contentWord.FindAllString(text, -1)
	if len(words) == 0 {
		return "", nil
	}
	cmd := exec.CommandContext(ctx, g.program, "--line-number", "--ignore-case", "--sort", "path", "--max-columns", "300", "-e", strings.Join(words, "|"), ".")
	cmd.Dir = g.dir
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() == 1 {
		err = nil // nothing was found
	}
	return strings.ReplaceAll("\n"+string(out), "\n./", "\n"), err
}
