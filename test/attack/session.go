package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// session is a running MCP server.
type session struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr bytes.Buffer

	mu      sync.Mutex
	answers map[string]chan answer
	odd     []string // lines on standard output that are not JSON-RPC
	last    int
	ended   chan struct{}
}

// answer is the server's response to a request.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (a answer) text() string { return string(a.Result) + string(a.Error) }

// serve starts a server in a project and initialises the session.
func (r *run) serve(dir string) (*session, error) {
	s := &session{answers: map[string]chan answer{}, ended: make(chan struct{})}
	s.cmd = exec.CommandContext(r.ctx, r.program, "mcp-server", "--project", dir)
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = dir, r.environment(), &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in = in
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(out)
	_, err = s.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "attack", "version": "1"},
	})
	if err == nil {
		err = s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return s, err
}

// read dispatches the responses.
func (s *session) read(out io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  string          `json:"method"`
			answer
		}
		list := bytes.HasPrefix(line, []byte("[")) && json.Valid(line)
		s.mu.Lock()
		if !list && (json.Unmarshal(line, &m) != nil || m.Version != "2.0") {
			s.odd = append(s.odd, string(line))
		}
		waiting := s.answers[string(m.ID)]
		if m.Method == "" {
			delete(s.answers, string(m.ID))
		}
		s.mu.Unlock()
		if waiting != nil && m.Method == "" {
			waiting <- m.answer
		}
	}
}

// send writes a line verbatim.
func (s *session) send(line string) error {
	_, err := io.WriteString(s.in, line+"\n")
	return err
}

var errSilent = errors.New("no answer")

// ask sends a request and waits for the response.
func (s *session) ask(method string, params any) (answer, error) {
	s.mu.Lock()
	s.last++
	id := strconv.Quote("attack-" + strconv.Itoa(s.last))
	reply := make(chan answer, 1)
	s.answers[id] = reply
	s.mu.Unlock()
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	if err != nil {
		return answer{}, err
	}
	if err := s.send(string(line)); err != nil {
		return answer{}, err
	}
	select {
	case a := <-reply:
		return a, nil
	case <-s.ended:
		return answer{}, errors.New("the server has ended")
	case <-time.After(patience):
		return answer{}, errSilent
	}
}

// call calls a tool and checks the response. It returns false if there is none.
func (r *run) call(s *session, tool string, arguments map[string]any) bool {
	r.tried++
	a, err := s.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		r.fail("%s %.300v: %v: %.400q", tool, arguments, err, s.stderr.String())
		return false
	}
	r.judge(tool, result{output: a.text()})
	return true
}

// close stops the server and checks the rest of its output.
func (r *run) close(s *session) {
	_ = s.in.Close()
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
	_ = s.cmd.Wait()
	r.judge("mcp-server, standard error", result{output: s.stderr.String()})
	for _, line := range s.odd {
		r.fail("mcp-server: not JSON-RPC on standard output: %.200q", line)
	}
}
