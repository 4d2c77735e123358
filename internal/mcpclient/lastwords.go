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

// lastWords logs what a child says on its standard error and keeps the end of it.
type lastWords struct {
	log *slog.Logger

	mu    sync.Mutex
	lines []string
}

const (
	maxWords     = 10      // lines kept
	maxWordsLine = 4 << 10 // bytes of a line
	wordsRate    = 200     // lines logged a second; a flood is counted, not kept
)

// read takes lines until there are no more.
func (l *lastWords) read(in io.Reader) {
	r := bufio.NewReaderSize(in, maxWordsLine)
	var second int64
	logged, dropped := 0, 0
	for {
		line, err := r.ReadSlice('\n')
		if text := strings.TrimSpace(strings.ToValidUTF8(string(line), "")); text != "" {
			l.keep(text)
			if now := time.Now().Unix(); now != second {
				l.drowned(dropped)
				second, logged, dropped = now, 0, 0
			}
			if logged++; logged <= wordsRate {
				l.log.Info("server says", "line", text)
			} else {
				dropped++
			}
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			l.drowned(dropped)
			return
		}
	}
}

func (l *lastWords) drowned(lines int) {
	if lines > 0 {
		l.log.Warn("the server floods its standard error", "lines_not_logged", lines)
	}
}

func (l *lastWords) keep(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == maxWords {
		l.lines = l.lines[1:]
	}
	l.lines = append(l.lines, line)
}

// String returns the last lines, joined; "" for none.
func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.Join(l.lines, " | ")
	if cut := len(text) - jsonrpc.MaxDetail; cut > 0 {
		text = "…" + strings.ToValidUTF8(text[cut:], "")
	}
	return text
}
