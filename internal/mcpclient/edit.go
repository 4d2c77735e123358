package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// entry is a server as it is written into a file.
type entry struct {
	Type    string            `json:"type"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// Add writes a server into a configuration file, replacing one of its name, and
// leaves everything else in the file as it is, comments too. A file that is not
// there is made. What could not be read again is not written. The server is
// returned as it is read back, with its hash.
func Add(file string, project bool, s Server) (Server, error) {
	file = filepath.Join(real(filepath.Dir(file)), filepath.Base(file))
	if key, err := s.check(); err != nil {
		return Server{}, &ConfigError{file, strings.TrimSuffix("mcpServers."+s.Name+"."+key, "."), err}
	}
	raw, err := jsonrpc.Encode(entry{s.Type, s.Command, s.Args, s.Env, s.URL, s.Headers})
	if err != nil {
		return Server{}, err
	}
	back := Server{Name: s.Name, File: file, Project: project, Hash: hash(file, s.Name, raw)}
	if project {
		back.Dir = filepath.Dir(file)
	}
	if key, err := back.read(raw); err != nil {
		return Server{}, &ConfigError{file, strings.TrimSuffix("mcpServers."+s.Name+"."+key, "."), err}
	}
	err = edit(file, func(v *hujson.Value) error {
		patches := []patch{}
		if v.Find("/mcpServers") == nil {
			patches = append(patches, patch{"add", "/mcpServers", json.RawMessage("{}")})
		}
		return apply(v, append(patches, patch{"add", pointer(s.Name), raw}))
	})
	return back, err
}

// errNoServer is returned for a name that a file does not hold.
var errNoServer = message.Errorf("no such server")

// Remove takes a server out of a configuration file and leaves everything else
// in it as it is.
func Remove(file, name string) error {
	return edit(file, func(v *hujson.Value) error {
		if v.Find(pointer(name)) == nil {
			return errNoServer
		}
		return apply(v, []patch{{Op: "remove", Path: pointer(name)}})
	})
}

// patch is one operation of RFC 6902.
type patch struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

func apply(v *hujson.Value, patches []patch) error {
	text, err := jsonrpc.Encode(patches)
	if err != nil {
		return err
	}
	return v.Patch(text)
}

// pointer is the place of a server, by RFC 6901.
func pointer(name string) string {
	return "/mcpServers/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// edit changes a file in one step.
func edit(file string, change func(*hujson.Value) error) error {
	mode := fs.FileMode(0o600) // entries hold keys
	text, err := openfile.Read(file, openfile.MaxData)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = []byte("{}\n")
	case err != nil:
		return err
	default:
		if info, err := os.Stat(file); err == nil {
			mode = info.Mode().Perm()
		}
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if _, err := readEntries(text); err != nil {
		return &ConfigError{File: file, Err: err}
	}
	v, err := decode.TreeJSON(text)
	if err == nil {
		err = change(&v)
	}
	if err != nil {
		return &ConfigError{File: file, Err: err}
	}
	return atomicfile.File(file, pretty(v, text), mode)
}

// pretty is a value on as many lines as it takes, moved in as the text before was.
// With comments it is left as it is: they would lose their places.
func pretty(v hujson.Value, before []byte) []byte {
	packed := v.Pack()
	if !v.IsStandard() {
		return packed
	}
	indent := "  "
	if _, rest, ok := bytes.Cut(before, []byte("\n")); ok {
		if n := len(rest) - len(bytes.TrimLeft(rest, " \t")); n > 0 {
			indent = string(rest[:n])
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(packed), "", indent) != nil {
		return packed
	}
	b.WriteByte('\n')
	return b.Bytes()
}
