// Package daemon lets commands ask a process that goes on running whether a stored code graph is that of the files.
//
// A command answers its question itself, from the stored graph, so that the answer is the same with such a process and without
// one. What the process saves is the look for changes, since it follows the files (package live). It listens on a socket in the
// data folder that its user alone can reach. [Place] is the socket of one program in one environment: another build of the
// program, another store, another configuration of git or another container has another socket, so that two processes that
// would not see the same never talk.
//
// The protocol is lines of JSON. The command sends one [Question]. The answer is one [Answer], before it progress, and signs
// of life while it takes: a process that is silent is given up, and the command looks for changes itself, as it does whenever
// something is wrong here.
package daemon

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Variable is the environment variable that turns the background process off and on.
const Variable = "REVERSE_SPEC_SERVER"

// Setting is what [Variable] says.
type Setting struct {
	// Off is set if no process is asked, started or made to listen.
	Off bool
	// Always is set if a process is started for projects of any size.
	Always bool
	// Idle is how long a process without questions goes on.
	Idle time.Duration
}

// DefaultIdle is how long a process without questions goes on if the setting does not say.
const DefaultIdle = 10 * time.Minute

// ParseSetting reads the value of [Variable]: "" for the default, which is off where the variable CI is set.
func ParseSetting(text, ci string) (Setting, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		return Setting{Off: ci != "" && ci != "false" && ci != "0", Idle: DefaultIdle}, nil
	case "0", "false", "off", "no":
		return Setting{Off: true, Idle: DefaultIdle}, nil
	case "1", "true", "on", "yes":
		return Setting{Always: true, Idle: DefaultIdle}, nil
	}
	idle, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || idle <= 0 {
		return Setting{}, message.Errorf("%s is %q: write 0 to turn the server off, 1 for projects of any size, or how long it waits for a question, such as 30m", Variable, text)
	}
	return Setting{Always: true, Idle: idle}, nil
}

// Place is where a process of this program listens, or would.
type Place struct {
	dir string // folder of the sockets
	key string // what both sides must have in common
}

// inherited are the variables that decide which files a project has, besides the git that is found and those that begin with GIT_.
var inherited = []string{"HOME", "XDG_CONFIG_HOME"}

// Find returns the place for a store in a data folder, for a version of the program. The error says why processes cannot be
// asked here; it is [errors.ErrUnsupported] on other systems than Linux.
func Find(data, store, version string) (Place, error) {
	around, err := surroundings()
	if err != nil {
		return Place{}, err
	}
	git, _ := exec.LookPath("git") // "" for none
	parts := []string{version, around, data, store, git}
	for _, name := range inherited {
		parts = append(parts, name+"="+os.Getenv(name))
	}
	for _, pair := range os.Environ() {
		if strings.HasPrefix(pair, "GIT_") {
			parts = append(parts, pair)
		}
	}
	return Place{filepath.Join(data, "server"), strings.Join(parts, "\x00")}, nil
}

// digest is the key in short: configuration of git may hold secrets, and is sent to nobody.
func (p Place) digest() string {
	sum := sha256.Sum256([]byte(p.key))
	return hex.EncodeToString(sum[:])
}

// base is the beginning of the names of the files of a place.
func (p Place) base() string {
	const digits = 16
	return p.digest()[:digits]
}

// Log returns the file with what a started process had to say.
func (p Place) Log() string { return filepath.Join(p.dir, p.base()+logSuffix) }

const (
	socketSuffix = ".sock"
	lockSuffix   = ".lock"
	logSuffix    = ".log"
)

// folder is the open folder of the sockets, which nobody but the user has access to.
type folder struct {
	*os.Root

	handle *os.File
}

func (f *folder) Close() error { return errors.Join(f.handle.Close(), f.Root.Close()) }

// folder opens the folder of the sockets.
func (p Place) folder() (*folder, error) {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil, err
	}
	handle, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	f := &folder{root, handle}
	if err := private(handle); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Make makes the folder of the sockets.
func (p Place) Make() error { return os.MkdirAll(p.dir, 0o700) }

// errShared is returned if others have access to the folder of the sockets.
var errShared = message.Errorf("others than the user have access to the folder of the socket")

// Kind is what a process is asked.
type Kind string

// The kinds of questions.
const (
	// Graph asks to bring the graph of a project up to date, if the files are followed.
	Graph Kind = "graph"
	// State asks for the state of the process.
	State Kind = "state"
)

// Question is what a command asks.
type Question struct {
	Key  string `json:"key"` // digest of that of the place
	Kind Kind   `json:"kind"`
	// Root is the folder of the project, Folder what identifies it on this machine.
	Root   string       `json:"root,omitempty"`
	Folder string       `json:"folder,omitempty"`
	Lang   message.Lang `json:"lang,omitempty"` // of warnings
}

// Answer is the answer of a process.
type Answer struct {
	// Identity and Serial say which stored graph is that of the files. Warnings are those of the run that made it.
	Identity string   `json:"identity,omitempty"`
	Serial   uint64   `json:"serial,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Process is the state of the process, if it was asked for.
	Process *Process `json:"process,omitempty"`
	// Refused says why there is no answer, for the log.
	Refused string `json:"refused,omitempty"`
}

// Process is the state of a process that listens.
type Process struct {
	PID       int           `json:"pid"`
	Since     time.Time     `json:"since"`
	Questions int64         `json:"questions"` // about graphs
	Idle      time.Duration `json:"idle"`      // after which it ends without questions, in nanoseconds; 0 for as long as its client stays
}

// In implements [message.Localizer].
func (p Process) In(lang message.Lang) string {
	questions := message.Count(int(p.Questions), "%d question", "%d questions")
	if p.Idle == 0 {
		return message.New("process %d, an MCP server, has answered %s for commands", p.PID, questions).In(lang)
	}
	return message.New("process %d has answered %s, and ends after %s without one", p.PID, questions, p.Idle.String()).In(lang)
}

// line is one line of an answer.
type line struct {
	Answer   *Answer `json:"answer,omitempty"`
	Progress *step   `json:"progress,omitempty"`
}

// step is a progress event.
type step struct {
	Stage string `json:"stage"`
	Item  string `json:"item,omitempty"`
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
}

// maxLine is the most bytes of a line, and sign the time between two signs of life.
const (
	maxLine = 1 << 20
	sign    = 400 * time.Millisecond
)

// ErrNone is returned if no process listens.
var ErrNone = errors.New("no process listens")

// RefusedError is returned if a process did not answer.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return "the process does not answer: " + e.Why }

// StateOf returns the state of the process that listens at a place; nil for none.
func StateOf(ctx context.Context, p Place) *Process {
	a, err := p.Ask(ctx, Question{Kind: State})
	if err != nil {
		return nil
	}
	return a.Process
}

// isMissing reports whether there is no file.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// or returns the first text that is not empty.
func or(texts ...string) string { return cmp.Or(texts...) }
