package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Options say what to register, and where.
type Options struct {
	Client  string // one of [Clients]
	Project string // the project's folder, absolute; "" to register for all projects of the user
	Home    string // the user's home, absolute
	Getenv  func(string) string
	Command string // the program: a path, or a name on PATH
	Skills  fs.FS  // a folder for each skill; nil for none
}

// Change is what becomes of one file.
type Change struct {
	File   string       // absolute
	Before []byte       // nil when it was not there
	After  []byte       // nil when it goes
	Note   message.Text // why it is left as it is; Before and After are then nil

	top string // the folder that stays when it is empty, and those around it
}

// Add returns what registers the server and the skills with a client. What is registered
// already makes no change. The errors are an [*UnknownClientError], and faults of the
// client's file, which name it.
func Add(o Options) ([]Change, error) { return o.plan(false) }

// Remove returns what undoes [Add].
func Remove(o Options) ([]Change, error) { return o.plan(true) }

func (o Options) plan(remove bool) ([]Change, error) {
	c, err := find(o.Client)
	if err != nil {
		return nil, err
	}
	where := places{o.Project, o.Home, o.Getenv}
	change, err := c.register(c.file(where), c.entry(o.Command, o.Project != ""), remove)
	if err != nil {
		return nil, message.Errorf("%s: %w", change.File, err)
	}
	changes := []Change{change}
	if o.Skills != nil {
		skills, err := skillChanges(c.skills(where), o.Skills, remove)
		if err != nil {
			return nil, err
		}
		changes = append(changes, skills...)
	}
	for i := range changes {
		changes[i].top = cmp.Or(o.Project, o.Home)
	}
	return slices.DeleteFunc(changes, func(c Change) bool {
		return c.Note.Empty() && bytes.Equal(c.Before, c.After) && (c.Before == nil) == (c.After == nil)
	}), nil
}

// mark is the byte order mark, which editors on Windows put first.
const mark = "\xef\xbb\xbf"

// register changes the configuration file of a client.
func (c client) register(file string, entry object, remove bool) (Change, error) {
	change := Change{File: file}
	before, err := openfile.Read(file, openfile.MaxData)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return change, err
	}
	change.Before = before
	text, marked := bytes.CutPrefix(before, []byte(mark))
	after, err := c.edit(text, entry, remove)
	if err != nil || remove && before == nil {
		return change, err
	}
	if remove && !bytes.Equal(after, text) && empty(after) {
		return change, nil // there was nothing else in it
	}
	if marked {
		after = append([]byte(mark), after...)
	}
	change.After = after
	return change, nil
}

// empty reports whether nothing is left in a file.
func empty(text []byte) bool {
	plain := strings.Join(strings.Fields(string(text)), "")
	return plain == "" || plain == "{}"
}

func (c client) edit(text []byte, entry object, remove bool) ([]byte, error) {
	if strings.HasSuffix(c.section, "_servers") { // Codex's file is TOML
		if remove {
			return dropTable(text, c.section, Server)
		}
		return setTable(text, c.section, Server, entry)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	before, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	var out []byte
	if remove {
		out, err = dropMember(text, c.section, Server)
	} else {
		out, err = setServer(text, c.section, entry)
	}
	if err != nil {
		return nil, err
	}
	after, err := decodeJSON(out)
	if err == nil && !alikeBut(before, after, c.section, Server) {
		err = errShape
	}
	return out, err
}

// object is keys with values in their order, in JSON an object.
type object []pair

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, p := range o {
		key, err := json.Marshal(p.key)
		if err != nil {
			return nil, err
		}
		value, err := encode(p.value)
		if err != nil {
			return nil, err
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Apply makes the change, in one step.
func (c Change) Apply() error {
	switch {
	case !c.Note.Empty():
		return nil
	case c.After == nil:
		return c.remove()
	}
	if err := os.MkdirAll(filepath.Dir(c.File), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(c.File); err == nil {
		mode = info.Mode().Perm()
	}
	return atomicfile.File(c.File, c.After, mode)
}

// remove removes the file, and the folders around it that are empty then.
func (c Change) remove() error {
	if err := os.Remove(c.File); err != nil {
		return err
	}
	dir, left := filepath.Dir(c.File), error(nil)
	for left == nil && strings.HasPrefix(dir, c.top+string(filepath.Separator)) {
		left = os.Remove(dir) // it fails for one that is not empty
		dir = filepath.Dir(dir)
	}
	return nil
}
