package mcpclient

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

// stderrTail logs the standard error of a child process and keeps its last lines.
type stderrTail struct {
	log *slog.Logger

	mu    sync.Mutex
	lines []string
}

const (
	maxTailLines = 10      // lines kept
	maxTailLine  = 4 << 10 // bytes of a line
	logRate      = 200     // lines logged a second; further lines are counted
)

// read reads lines until the end.
func (l *stderrTail) read(in io.Reader) {
	r := bufio.NewReaderSize(in, maxTailLine)
	var second int64
	logged, dropped := 0, 0
	for {
		line, err := r.ReadSlice('\n')
		if text := strings.TrimSpace(strings.ToValidUTF8(string(line), "")); text != "" {
			l.keep(text)
			if now := time.Now().Unix(); now != second {
				l.dropped(dropped)
				second, logged, dropped = now, 0, 0
			}
			if logged++; logged <= logRate {
				l.log.Info("server says", "line", text)
			} else {
				dropped++
			}
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			l.dropped(dropped)
			return
		}
	}
}

func (l *stderrTail) dropped(lines int) {
	if lines > 0 {
		l.log.Warn("the server floods its standard error", "lines_not_logged", lines)
	}
}

func (l *stderrTail) keep(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == maxTailLines {
		l.lines = l.lines[1:]
	}
	l.lines = append(l.lines, line)
}

// String returns the last lines, joined; "" for none.
func (l *stderrTail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.Join(l.lines, " | ")
	if cut := len(text) - jsonrpc.MaxDetail; cut > 0 {
		text = "…" + strings.ToValidUTF8(text[cut:], "")
	}
	return text
}
