package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Options are the options of [Add] and [Remove].
type Options struct {
	Client  string // one of [Clients]
	Project string // the project's folder, absolute; "" to register for all of the user's projects
	Home    string // the user's home folder, absolute
	Getenv  func(string) string
	Command string // the program: a path, or a name on PATH
	Skills  fs.FS  // one folder per skill; nil for none
}

// Change is a change of one file.
type Change struct {
	File   string       // absolute
	Before []byte       // nil if the file does not exist
	After  []byte       // nil if the file is removed
	Note   message.Text // why the file stays unchanged; Before and After are then nil

	top string // innermost folder that is kept even if it becomes empty
}

// Add returns the changes that register the server and the skills with a client. What is
// registered already needs no change. Errors: an [*UnknownClientError], and invalid
// configuration files, which the error names.
func Add(o Options) ([]Change, error) { return o.plan(false) }

// Remove returns the changes that undo [Add].
func Remove(o Options) ([]Change, error) { return o.plan(true) }

func (o Options) plan(remove bool) ([]Change, error) {
	c, err := find(o.Client)
	if err != nil {
		return nil, err
	}
	where := places{o.Project, o.Home, o.Getenv}
	if c.file(where) == "" {
		return nil, &NoProjectError{c.name}
	}
	change, err := c.register(c.file(where), c.entryFor(o.Command, o.Project != ""), remove)
	if err != nil {
		return nil, message.Errorf("%s: %w", change.File, err)
	}
	changes := []Change{change}
	if o.Skills != nil && c.skills != nil && (!remove || !o.shared(c, where)) {
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

// shared reports whether another registered client has its skills in the same folder.
func (o Options) shared(c client, where places) bool {
	return slices.ContainsFunc(clients(), func(other client) bool {
		if other.name == c.name || other.skills == nil || other.skills(where) != c.skills(where) {
			return false
		}
		o.Client = other.name
		file, err := Registered(o)
		return err == nil && file != ""
	})
}

// mark is the byte order mark, with which some Windows editors begin files.
const mark = "\xef\xbb\xbf"

// register returns the change of a client's configuration file.
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
		return change, nil // it has no other content
	}
	if marked {
		after = append([]byte(mark), after...)
	}
	change.After = after
	return change, nil
}

// empty reports whether a file has no content left.
func empty(text []byte) bool {
	plain := strings.Join(strings.Fields(string(text)), "")
	return plain == "" || plain == "{}"
}

func (c client) edit(text []byte, entry object, remove bool) ([]byte, error) {
	if c.section == codexServers { // in TOML
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

// object is an ordered list of keys and values, a JSON object.
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

// Apply makes the change atomically.
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

// remove removes the file, and enclosing folders that become empty.
func (c Change) remove() error {
	if err := os.Remove(c.File); err != nil {
		return err
	}
	dir, left := filepath.Dir(c.File), error(nil)
	for left == nil && strings.HasPrefix(dir, c.top+string(filepath.Separator)) {
		left = os.Remove(dir) // fails if it is not empty
		dir = filepath.Dir(dir)
	}
	return nil
}

// ByProject reports whether a client has a configuration for one project.
func ByProject(name string) bool {
	c, err := find(name)
	return err == nil && c.file(places{project: ".", getenv: os.Getenv}) != ""
}

// Installed reports whether a client seems to be on this machine: whether its program is on PATH, or it has made its folder or file for
// the user's configuration, which is where o registers it for all projects.
func Installed(o Options) bool {
	c, err := find(o.Client)
	if err != nil {
		return false
	}
	o.Project = ""
	file := c.file(places{"", o.Home, o.Getenv})
	dir := filepath.Dir(file)
	if c.sign == "" && dir != filepath.Clean(o.Home) {
		file = dir
	}
	return exists(file) || c.sign != "" && exists(filepath.Join(dir, c.sign)) || onPath(o.Getenv("PATH"), c.programs)
}

// onPath reports whether a folder of a PATH has one of the programs.
func onPath(path string, programs []string) bool {
	for _, dir := range filepath.SplitList(path) {
		for _, name := range programs {
			if _, err := exec.LookPath(filepath.Join(dir, name)); filepath.IsAbs(dir) && err == nil {
				return true
			}
		}
	}
	return false
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Missing returns what [Add] would still change: nothing for a client that is registered.
func Missing(o Options) ([]Change, error) { return changesOf(Add(o)) }

// HasOurs reports whether [Remove] has something to remove, or cannot tell.
func HasOurs(o Options) bool {
	changes, err := changesOf(Remove(o))
	if none := (*NoProjectError)(nil); errors.As(err, &none) {
		return false
	}
	return err != nil || len(changes) > 0
}

// changesOf leaves out what stays as it is.
func changesOf(list []Change, err error) ([]Change, error) {
	return slices.DeleteFunc(list, func(c Change) bool { return !c.Note.Empty() }), err
}

// Registered returns the file in which the server is registered with a client; "" if it is not.
func Registered(o Options) (string, error) {
	o.Skills = nil
	c, err := find(o.Client)
	if err != nil || o.Project != "" && !ByProject(o.Client) {
		return "", err
	}
	changes, err := Add(o)
	if err != nil {
		return "", err
	}
	for _, change := range changes {
		if change.Note.Empty() {
			return pluginOf(o)
		}
	}
	return c.file(places{o.Project, o.Home, o.Getenv}), nil
}

// pluginOf returns the settings of Claude Code that enable the plugin; "" for none, and for other clients.
func pluginOf(o Options) (string, error) {
	if o.Client != "claude" {
		return "", nil
	}
	dir := cmp.Or(o.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(o.Home, ".claude"))
	if o.Project != "" {
		dir = filepath.Join(o.Project, ".claude")
	}
	file := filepath.Join(dir, "settings.json")
	text, err := openfile.Read(file, openfile.MaxData)
	if err != nil {
		return "", nil //nolint:nilerr // there are none
	}
	settings, err := decodeJSON(text)
	if err != nil {
		return "", nil //nolint:nilerr // Claude Code says so itself
	}
	enabled, _ := settings["enabledPlugins"].(map[string]any)
	for name, on := range enabled {
		if plugin, _, _ := strings.Cut(name, "@"); plugin == Server && on == true {
			return file, nil
		}
	}
	return "", nil
}
