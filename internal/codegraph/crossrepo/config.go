package crossrepo

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Config lists the repositories of a federation.
type Config struct {
	Path         string // of the file
	Repositories []RepositoryConfig
	Discover     Discover
}

// RepositoryConfig is one repository.
type RepositoryConfig struct {
	Name string
	Path string // absolute
	// Contracts are .gitignore patterns of the repository's contract files; nil for the default patterns of every
	// kind.
	Contracts []string
	line      int
}

// Discover says where to look for further repositories.
type Discover struct {
	Enabled   bool
	Search    []string // absolute; their direct subfolders are examined
	Contracts []string // as RepositoryConfig.Contracts, for discovered repositories
}

// Locations returns the default paths of the file, relative to the working folder.
func Locations() []string {
	return []string{"federation.yaml", filepath.Join("config", "federation.yaml")}
}

// Find returns the path of the federation's configuration: the named file, else the first of [Locations] below dir
// that exists. The error is a [*NoConfigError].
func Find(dir, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	for _, name := range Locations() {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", &NoConfigError{Dir: dir}
}

// NoConfigError says that there is no configuration of a federation.
type NoConfigError struct{ Dir string }

func (e *NoConfigError) text() message.Text {
	return message.New("no federation.yaml in %s: neither %s nor %s is there", e.Dir, Locations()[0], Locations()[1])
}

func (e *NoConfigError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *NoConfigError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says what to write.
func (e *NoConfigError) Hint() message.Text {
	const example = `
  schema_version: 1
  federation:
    repositories:
      - {name: api, path: ../api}
      - {name: web, path: ../web}`
	return message.New("write federation.yaml (or name a file in FEDERATION_CONFIG):%s", example)
}

// ConfigError is an error in the configuration file.
type ConfigError struct {
	Path   string
	Line   int // 0 if it has no line
	Reason message.Text
}

func (e *ConfigError) text() message.Text {
	if e.Line == 0 {
		return message.New("%s: %s", e.Path, e.Reason)
	}
	return message.New("%s:%d: %s", e.Path, e.Line, e.Reason)
}

func (e *ConfigError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *ConfigError) In(lang message.Lang) string { return e.text().In(lang) }

// ReadConfig reads the configuration of a federation. Paths in it are relative to its folder. Errors in it, such as
// an unknown key or a missing folder, are a [*ConfigError] that says what to do.
func ReadConfig(path string) (*Config, error) {
	data, err := openfile.Read(path, openfile.MaxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &ConfigError{Path: path, Reason: message.New("there is no such file")}
	}
	if err != nil {
		return nil, message.Errorf("read federation: %w", err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, message.Errorf("read federation: %w", err)
	}
	r := &configReader{Config: Config{Path: path}, dir: filepath.Dir(abs)}
	var doc yaml.Node
	if err := decode.YAML(data, &doc); err != nil {
		return nil, &ConfigError{Path: path, Reason: message.New("%v", err)}
	}
	if len(doc.Content) == 0 {
		return nil, &ConfigError{Path: path, Reason: message.New("the file is empty: it needs federation.repositories")}
	}
	if err := cmp.Or(r.top(doc.Content[0]), r.check()); err != nil {
		return nil, err
	}
	return &r.Config, nil
}

// configReader converts YAML nodes to a configuration.
type configReader struct {
	Config
	dir string // folder of the file, absolute
}

// fault returns an error at a node. Its result type is error, not *ConfigError, so that nil stays nil.
func (r *configReader) fault(n *yaml.Node, reason message.Text) error {
	return &ConfigError{Path: r.Path, Line: n.Line, Reason: reason}
}

// field is a key with the function that reads its value.
type field struct {
	key  string
	read func(value *yaml.Node) error
}

// fields reads a mapping. Unknown keys are errors.
func (r *configReader) fields(n *yaml.Node, what message.Text, known ...field) error {
	if n.Kind != yaml.MappingNode {
		return r.fault(n, message.New("%s must be a mapping of keys to values", what))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		at := slices.IndexFunc(known, func(f field) bool { return f.key == key.Value })
		if at < 0 {
			names := make([]string, len(known))
			for k, f := range known {
				names[k] = f.key
			}
			return r.fault(key, message.New("unknown key %q in %s: it may hold %s", key.Value, what, strings.Join(names, ", ")))
		}
		if err := known[at].read(n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// items reads a list.
func (r *configReader) items(n *yaml.Node, what message.Text, read func(item *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return r.fault(n, message.New("%s must be a list", what))
	}
	for _, item := range n.Content {
		if err := read(item); err != nil {
			return err
		}
	}
	return nil
}

// text reads a non-empty string.
func (r *configReader) text(what message.Text, to *string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Value == "" {
			return r.fault(n, message.New("%s must be a text", what))
		}
		*to = n.Value
		return nil
	}
}

// texts reads a list of strings.
func (r *configReader) texts(what message.Text, to *[]string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		*to = []string{}
		return r.items(n, what, func(item *yaml.Node) error {
			var text string
			err := r.text(message.New("an entry of %s", what), &text)(item)
			*to = append(*to, text)
			return err
		})
	}
}

func (r *configReader) top(n *yaml.Node) error {
	return r.fields(n, message.New("the file"),
		field{"schema_version", r.version},
		field{"federation", func(n *yaml.Node) error {
			return r.fields(n, message.New("%s", "federation"),
				field{"repositories", func(n *yaml.Node) error { return r.items(n, message.New("%s", "repositories"), r.repository) }},
				field{"auto_discover", r.discover},
				field{"update", func(n *yaml.Node) error { return r.fields(n, message.New("%s", "update"), field{"trigger", r.trigger}) }})
		}})
}

// version accepts version 1, the only one, in any notation.
func (r *configReader) version(n *yaml.Node) error {
	if v := strings.TrimSuffix(n.Value, ".0"); n.Kind != yaml.ScalarNode || v != "1" && v != "1.0" {
		return r.fault(n, message.New("schema_version %s is not known: this program reads 1", n.Value))
	}
	return nil
}

// trigger accepts a key of other programs and ignores it: this program federates only when it is run.
func (r *configReader) trigger(n *yaml.Node) error {
	if !slices.Contains([]string{"manual", "on-push", "scheduled"}, n.Value) {
		return r.fault(n, message.New("update.trigger must be manual, on-push or scheduled"))
	}
	return nil
}

func (r *configReader) repository(n *yaml.Node) error {
	repo := RepositoryConfig{line: n.Line}
	err := r.fields(n, message.New("a repository"),
		field{"name", r.text(message.New("%s", "name"), &repo.Name)},
		field{"path", r.folder(message.New("%s", "path"), &repo.Path)},
		field{"contracts", r.texts(message.New("%s", "contracts"), &repo.Contracts)})
	if err != nil {
		return err
	}
	if repo.Path == "" {
		return r.fault(n, message.New("a repository needs a path"))
	}
	repo.Name = cmp.Or(repo.Name, filepath.Base(repo.Path))
	if strings.ContainsAny(repo.Name, invalidNameChars) {
		return r.fault(n, message.New("the name %q cannot stand in \"name://path\": use letters, digits, - and _", repo.Name))
	}
	for _, other := range r.Repositories {
		switch {
		case other.Name == repo.Name:
			return r.fault(n, message.New("the name %q is taken by line %d: give this one another name", repo.Name, other.line))
		case other.Path == repo.Path:
			return r.fault(n, message.New("the folder of %s is that of %s on line %d: name it once", repo.Name, other.Name, other.line))
		}
	}
	r.Repositories = append(r.Repositories, repo)
	return nil
}

// invalidNameChars are the characters not allowed in a repository's name, so that "name://path" can be parsed.
const invalidNameChars = "/: \t\n"

// folder reads the path of an existing folder.
func (r *configReader) folder(what message.Text, to *string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if err := r.text(what, to)(n); err != nil {
			return err
		}
		path := *to
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.dir, path)
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return r.fault(n, message.New("there is no folder %s: paths are relative to the folder of this file", path))
		case err != nil:
			return r.fault(n, message.New("%s: %v", *to, err))
		case !info.IsDir():
			return r.fault(n, message.New("%s is a file: name the folder of a repository", *to))
		}
		real, err := filepath.EvalSymlinks(path)
		*to = real
		return err
	}
}

func (r *configReader) discover(n *yaml.Node) error {
	d := &r.Discover
	return r.fields(n, message.New("%s", "auto_discover"),
		field{"enabled", func(n *yaml.Node) error {
			if n.Decode(&d.Enabled) != nil {
				return r.fault(n, message.New("enabled must be true or false"))
			}
			return nil
		}},
		field{"search_paths", func(n *yaml.Node) error {
			return r.items(n, message.New("%s", "search_paths"), func(item *yaml.Node) error {
				d.Search = append(d.Search, "")
				return r.folder(message.New("a search path"), &d.Search[len(d.Search)-1])(item)
			})
		}},
		field{"contract_patterns", r.texts(message.New("%s", "contract_patterns"), &d.Contracts)})
}

// check finds missing parts of the configuration.
func (r *configReader) check() error {
	if len(r.Repositories) == 0 && !r.Discover.Enabled {
		return &ConfigError{Path: r.Path, Reason: message.New("no repository is named: list them under federation.repositories, or set auto_discover.enabled")}
	}
	if r.Discover.Enabled && len(r.Discover.Search) == 0 {
		return &ConfigError{Path: r.Path, Reason: message.New("auto_discover is enabled without search_paths: name the folders whose folders are repositories")}
	}
	return nil
}
