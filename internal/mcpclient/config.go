package mcpclient

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// The types of servers.
const (
	TypeStdio = "stdio" // a process, over its standard streams
	TypeSSE   = "sse"   // HTTP with server-sent events, the protocol of 2024-11-05
	TypeHTTP  = "http"  // streamable HTTP
)

// Server is one server as configured. Variables in its texts are expanded.
type Server struct {
	Name    string
	Type    string            // one of the Type constants
	Command string            // stdio: a program, searched in PATH
	Args    []string          // stdio
	Env     map[string]string // stdio: added to the environment of this process
	URL     string            // sse and http
	Headers map[string]string // sse and http; often secret, never logged
	Dir     string            // stdio: the working folder; "" for that of this process

	File    string         // the configuration file; "" for none
	Project bool           // File is a project's: the server starts only when approved
	Hash    string         // of the entry as written, its file and its name; "" without a file
	Notes   []message.Text // what was skipped in the entry
	Err     error          // a [*ConfigError]: why the server cannot be used; nil if it can
}

// Target is the command line or the URL of a server, the URL without a password
// and without its query, which often holds a key.
func (s Server) Target() string {
	if s.Type == TypeStdio {
		return strings.Join(append([]string{s.Command}, s.Args...), " ")
	}
	if u, err := url.Parse(s.URL); err == nil {
		if u.RawQuery != "" {
			u.RawQuery = "…"
		}
		return u.Redacted()
	}
	return "an unreadable URL"
}

// ConfigError is an error in a configuration file.
type ConfigError struct {
	File string
	Key  string // where in the file: "mcpServers.db.args"; "" for the whole
	Err  error
}

func (e *ConfigError) text() message.Text {
	if odd, ok := errors.AsType[*openfile.Error](e.Err); ok { // it names the file
		return message.New("%v", odd)
	}
	if e.Key == "" {
		return message.New("%s: %v", e.File, e.Err)
	}
	return message.New("%s: %s: %v", e.File, e.Key, e.Err)
}

func (e *ConfigError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *ConfigError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *ConfigError) Unwrap() error { return e.Err }

// Config is the content of the configuration files.
type Config struct {
	Servers []Server // by name, including those with an Err
	Faults  []error  // files that could not be read, a [*ConfigError] each
}

// Server returns the server of a name.
func (c *Config) Server(name string) (Server, bool) {
	i := slices.IndexFunc(c.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false
	}
	return c.Servers[i], true
}

// globalFile and projectFiles are where servers are configured; later ones
// replace whole entries of earlier ones.
const globalFile = ".kode.json"

func projectFiles() []string { return []string{".mcp.json", globalFile} }

// GlobalFile is the file of the servers that all projects of a user have.
func GlobalFile(home string) string { return filepath.Join(home, globalFile) }

// ProjectFile is the file that servers of a project are written into.
func ProjectFile(project string) string { return filepath.Join(project, ".kode.json") }

// Load reads the servers that a user has: from .kode.json in the home folder, then
// .mcp.json and .kode.json in each folder of a project, "" for none. A file that is
// missing is ignored. An error in an entry affects that server only.
func Load(home string, project ...string) *Config {
	return load(home, projectFiles(), project)
}

// LoadOwn reads the servers of .kode.json only: .mcp.json is for
// other clients.
func LoadOwn(home string, project ...string) *Config {
	return load(home, []string{globalFile}, project)
}

func load(home string, names, project []string) *Config {
	c := &Config{}
	servers := map[string]Server{}
	global := GlobalFile(real(home))
	c.take(servers, global, false)
	for _, folder := range project {
		for _, name := range names {
			if file := filepath.Join(real(folder), name); folder != "" && !sameFile(file, global) {
				c.take(servers, file, true)
			}
		}
	}
	for _, name := range sortedKeys(servers) {
		c.Servers = append(c.Servers, servers[name])
	}
	return c
}

// real is the canonical path of a folder: approvals depend on it.
func real(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	if path, err := filepath.EvalSymlinks(folder); err == nil {
		folder = path
	}
	return folder
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// readFile reads a configuration file. Links out of a project's folder are not followed.
func readFile(file string, project bool) ([]byte, error) {
	if project {
		return openfile.ReadIn(filepath.Dir(file), filepath.Base(file), openfile.MaxConfig)
	}
	return openfile.Read(file, openfile.MaxData) // agents store other data in the same file
}

// take adds the servers of a file.
func (c *Config) take(servers map[string]Server, file string, project bool) {
	text, err := readFile(file, project)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var entries map[string]json.RawMessage
	if err == nil {
		entries, err = readEntries(text)
	}
	if err != nil {
		c.Faults = append(c.Faults, &ConfigError{File: file, Err: err})
		return
	}
	for name, raw := range entries {
		s := Server{Name: name, File: file, Project: project, Hash: hash(file, name, raw)}
		if project {
			s.Dir = filepath.Dir(file)
		}
		if key, err := s.read(raw); err != nil {
			s.Err = &ConfigError{file, strings.TrimSuffix("mcpServers."+name+"."+key, "."), err}
		}
		servers[name] = s
	}
}

// readEntries returns the entries of a file's mcpServers. Comments and trailing
// commas are accepted, as in editors.
func readEntries(text []byte) (map[string]json.RawMessage, error) {
	var file map[string]json.RawMessage
	err := decode.JSON(text, &file)
	if e, ok := errors.AsType[*decode.Error](err); err != nil && (!ok || !e.Kind) {
		return nil, err
	}
	if err != nil || file == nil {
		return nil, message.Errorf("must be a JSON object")
	}
	var entries map[string]json.RawMessage
	if raw, ok := file["mcpServers"]; ok && json.Unmarshal(raw, &entries) != nil {
		return nil, message.Errorf("mcpServers must be an object of servers by name")
	}
	return entries, nil
}

// hash identifies an entry of a file.
func hash(file, name string, raw json.RawMessage) string {
	var entry bytes.Buffer
	if json.Compact(&entry, raw) != nil {
		entry = *bytes.NewBuffer(raw)
	}
	sum := sha256.Sum256([]byte(file + "\x00" + name + "\x00" + entry.String()))
	return hex.EncodeToString(sum[:])
}

// read reads an entry. On error it returns the key of the invalid value.
func (s *Server) read(raw json.RawMessage) (key string, err error) {
	if s.Name == "" || strings.ContainsFunc(s.Name, func(r rune) bool { return r == ':' || unicode.IsControl(r) }) {
		return "", message.Errorf(`a server's name must not be empty and holds no ":" or control character`)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return "", message.Errorf("must be an object")
	}
	text, texts := message.New("must be a text"), message.New("must be an object of texts")
	fields := map[string]struct {
		into any
		must message.Text
	}{
		"type": {&s.Type, text}, "command": {&s.Command, text}, "url": {&s.URL, text},
		"args": {&s.Args, message.New("must be a list of texts")},
		"env":  {&s.Env, texts}, "headers": {&s.Headers, texts},
	}
	for _, key := range sortedKeys(members) {
		field, known := fields[key]
		if !known {
			s.Notes = append(s.Notes, message.New("the key %q is not known and skipped", key))
		} else if json.Unmarshal(members[key], field.into) != nil {
			return key, message.Errorf("%v", field.must)
		}
	}
	if key, err := s.expand(os.LookupEnv); err != nil {
		return key, err
	}
	return s.check()
}

// check completes the type and checks the required values.
func (s *Server) check() (key string, err error) {
	if key, err := s.settle(); err != nil {
		return key, err
	}
	if s.Type == TypeStdio {
		if s.Command == "" {
			return "command", message.Errorf("a stdio server needs a command")
		}
		return "", nil
	}
	if s.URL == "" {
		return "url", message.Errorf("a server of type %s needs a url", s.Type)
	}
	if u, err := url.Parse(s.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "url", message.Errorf("must be an http:// or https:// URL") // without the URL: it may hold a password
	}
	return "", nil
}

// settle normalises the type, or infers it.
func (s *Server) settle() (key string, err error) {
	switch t := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s.Type)); t {
	case TypeStdio, TypeSSE, TypeHTTP:
		s.Type = t
		return "", nil
	case "streamablehttp":
		s.Type = TypeHTTP
		return "", nil
	case "":
	default:
		return "type", message.Errorf("unknown type %q: there are stdio, sse and http", s.Type)
	}
	switch {
	case s.Command != "" && s.URL != "":
		return "", message.Errorf("has a command and a url: give a type")
	case s.Command != "":
		s.Type = TypeStdio
	case s.URL != "":
		s.Type = TypeHTTP
	default:
		return "", message.Errorf("has neither a command nor a url")
	}
	return "", nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
