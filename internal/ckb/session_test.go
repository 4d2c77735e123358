package ckb_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
)

// process is a session with a child process, as small as it can be.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	last    int
	once    sync.Once
}

type answer struct {
	ID     int `json:"id"`
	Result *struct {
		Content []struct{ Text string }
	} `json:"result"`
	Error *struct{ Message string } `json:"error"`
}

// processes starts programs and knows those it started.
type processes struct {
	mu      sync.Mutex
	started []*process
}

func (p *processes) start(ctx context.Context, c ckb.Command) (ckb.Session, error) {
	s := &process{cmd: exec.Command(c.Path, c.Args...), answers: make(chan answer, 100)}
	s.cmd.Dir = c.Dir
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(out)
	p.mu.Lock()
	p.started = append(p.started, s)
	p.mu.Unlock()
	if _, err := s.ask(ctx, "initialize", map[string]any{"protocolVersion": "2024-11-05", "capabilities": map[string]any{}}); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// newest returns the process started last.
func (p *processes) newest() *os.Process {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.started[len(p.started)-1].cmd.Process
}

// number returns how many processes were started.
func (p *processes) number() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.started)
}

// allGone checks that no process is left.
func (p *processes) allGone(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.started {
		if s.cmd.ProcessState == nil {
			t.Errorf("process %d is still there", s.cmd.Process.Pid)
		}
	}
}

func (s *process) read(out io.Reader) {
	defer close(s.answers)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		var a answer
		if json.Unmarshal(line, &a) == nil && a.ID > 0 {
			s.answers <- a
		}
		if err != nil {
			return
		}
	}
}

func (s *process) ask(ctx context.Context, method string, params any) (answer, error) {
	s.last++
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params})
	if err != nil {
		return answer{}, err
	}
	if _, err := s.in.Write(append(text, '\n')); err != nil {
		return answer{}, err
	}
	for {
		select {
		case a, ok := <-s.answers:
			if !ok {
				return a, errors.New("the server ended")
			}
			if a.ID == s.last {
				return a, nil
			}
		case <-ctx.Done():
			return answer{}, context.Cause(ctx)
		}
	}
}

func (s *process) Call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	a, err := s.ask(ctx, "tools/call", map[string]any{"name": tool, "arguments": arguments})
	switch {
	case err != nil:
		return "", err
	case a.Error != nil:
		return "", &ckb.RefusedError{Message: a.Error.Message}
	case a.Result == nil || len(a.Result.Content) == 0:
		return "", errors.New("the answer is no result")
	}
	return a.Result.Content[0].Text, nil
}

func (s *process) Close() error {
	s.once.Do(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	return nil
}
