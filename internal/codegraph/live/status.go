package live

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Status is the state of a live index.
type Status struct {
	PID     int       `json:"pid"` // of the process
	Root    string    `json:"root"`
	At      time.Time `json:"at"`               // when it was so
	Events  bool      `json:"events"`           // changes are reported by the system
	Why     string    `json:"why,omitempty"`    // why not: then each question compares the times of all files; "" if they will be
	Folders int       `json:"folders"`          // that are watched
	Pending int       `json:"pending"`          // files that have changed and are not indexed yet
	All     bool      `json:"all,omitempty"`    // all files are to be compared
	Memory  int64     `json:"memory"`           // bytes kept between questions: texts, and heads of files
	Swept   time.Time `json:"swept,omitzero"`   // when all files were last compared
	Changes int       `json:"changes,omitzero"` // runs so far that changed the graph
	// WhyIn is Why in other languages than English: the state is read by other processes.
	WhyIn map[message.Lang]string `json:"why_in,omitempty"`
}

// Localized returns the state with texts in one language alone.
func (s Status) Localized(lang message.Lang) Status {
	s.Why, s.WhyIn = cmp.Or(s.WhyIn[lang], s.Why), nil
	return s
}

// In implements [message.Localizer].
func (s Status) In(lang message.Lang) string {
	switch why := s.Localized(lang).Why; {
	case s.Events:
	case why == "":
		return message.New("server %d: the files are not followed yet", s.PID).In(lang)
	default:
		return message.New("server %d: each question compares all files: %s", s.PID, why).In(lang)
	}
	pending := message.Count(s.Pending, "%d changed file is not indexed yet", "%d changed files are not indexed yet")
	if s.All {
		pending = message.New("all files are to be compared")
	}
	return message.New("server %d: %s watched, %s, %.1f MB kept (%s)", s.PID, message.Count(s.Folders, "%d folder", "%d folders"),
		pending, float64(s.Memory)/1e6, s.At.Local().Format(time.TimeOnly)).In(lang)
}

// statusSuffix and the id of the process are appended to the path of a graph's derived file; the file with the state is
// removed with the graph.
const statusSuffix = ".live."

// Of returns the states of the live indexes of other processes and of this one, given the path of the graph's derived
// file, by process. They say when they were so: within a second of any change, while the process lives.
func Of(derived string) []Status {
	files, err := filepath.Glob(escapeGlob(derived) + statusSuffix + "*")
	if err != nil {
		return nil
	}
	var out []Status
	for _, name := range files {
		pid, err := strconv.Atoi(name[strings.LastIndexByte(name, '.')+1:])
		if err != nil || !alive(pid) {
			continue
		}
		text, err := openfile.Read(name, openfile.MaxConfig)
		var s Status
		if err == nil && json.Unmarshal(text, &s) == nil && s.PID == pid {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Status) int { return cmp.Compare(a.PID, b.PID) })
	return out
}

// escapeGlob makes a path a pattern for itself.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// alive reports whether there is a process.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// status returns the state.
func (i *Index) status() Status {
	i.mu.Lock()
	s := Status{PID: os.Getpid(), Root: i.project.Root(), At: time.Now().Truncate(time.Second), Events: i.tree != nil, Changes: i.changes, Swept: i.swept}
	if i.why != nil {
		s.Why = message.Render(message.English, i.why)
		s.WhyIn = map[message.Lang]string{message.Chinese: message.Render(message.Chinese, i.why)}
	}
	t := i.tree
	i.mu.Unlock()
	s.Memory = i.texts.bytes() + i.memory.Size()
	if t != nil {
		t.mu.Lock()
		s.Folders, s.Pending, s.All = len(t.folders), len(t.pending.paths), t.pending.all
		t.mu.Unlock()
	}
	return s
}

// tellEvery is the least time between two writes of the state.
const tellEvery = time.Second

// tell writes the state next to the graph for other processes, soon.
func (i *Index) tell() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.telling || i.closed || i.derived == "" {
		return
	}
	i.telling = true
	i.work.Go(func() {
		_ = sleep(i.ctx, tellEvery)
		i.mu.Lock()
		i.telling = false
		file := i.statusFile()
		i.mu.Unlock()
		if i.ctx.Err() != nil {
			return
		}
		if text, err := json.Marshal(i.status()); err == nil {
			_ = atomicfile.File(file, text, 0o600) // it is for people
		}
	})
}

// statusFile returns the file of the state. The caller holds the lock.
func (i *Index) statusFile() string {
	return fmt.Sprintf("%s%s%d", i.derived, statusSuffix, os.Getpid())
}
