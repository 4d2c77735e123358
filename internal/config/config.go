// Package config reads the user's settings from flags, the environment and the user's file, in
// this order of precedence; a project's file may restrict them. [Load] returns a [Config]. The
// table in settings.go lists the settings.
//
//	# config.yaml (or .json) in the user's folder
//	llm:
//	  provider: auto            # anthropic, openai, claude-cli, client, none
//	  model: claude-sonnet-5-5
//
//	# .reverse-spec.yaml (or .json) in the project
//	lang: zh
//	llm:
//	  provider: none
//
// A project's file is untrusted, because it may be part of a repository of somebody else. It
// can only restrict what the user permits ([scope]). Settings that send code, cost money or
// turn something on must be in the user's file, the environment or flags.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Config has the values of all settings.
type Config struct {
	LLM   LLM
	Lang  string // of messages and of what is written: "en" or "zh"; "" for the locale's
	Hooks bool   // enables the plugin's hooks; default true
	// Files are the files that were read, the user's first.
	Files []string
	// Warnings report skipped settings: unknown ones, and those that a project's file may not
	// make.
	Warnings []message.Text

	from  map[string]string
	fixed map[string]bool // set by a flag or the environment
}

// Notes returns the warnings in a language.
func (c *Config) Notes(lang message.Lang) []string {
	var notes []string
	for _, w := range c.Warnings {
		notes = append(notes, w.In(lang))
	}
	return notes
}

// LLM selects the model; "" leaves the choice to package llm.
type LLM struct {
	Provider     string
	Model        string
	AnthropicURL string
	OpenAIURL    string
	Rate         int  // requests per minute; 0 for no limit
	ClaudeCLI    bool // permits using the claude command without an explicit choice
}

// From returns where a setting was made, for people: "REVERSE_SPEC_MODEL", a file, "--model";
// "" if it was not made.
func (c *Config) From(key string) string { return c.from[key] }

// Options are the options of [Load].
type Options struct {
	Project string                   // the project's folder; "" for none
	User    string                   // folder of the user's file; "" for reverse-spec in the system's configuration folder
	Getenv  func(name string) string // nil for os.Getenv
	Flags   map[string]string        // by setting: "llm.model"; "" means not set
}

// Load reads all settings. The error is an [*Error] if a file cannot be read or a value is
// invalid.
func Load(o Options) (*Config, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	c := &Config{Hooks: true, from: map[string]string{}}
	for _, s := range settings() {
		if err := c.set(s, o.Flags[s.key], "--"+s.flag); err != nil {
			return nil, err
		}
		if err := c.set(s, strings.TrimSpace(o.Getenv(s.variable)), s.variable); err != nil {
			return nil, err
		}
	}
	c.fixed = map[string]bool{}
	for key := range c.from { // by a flag or the environment
		c.fixed[key] = true
	}
	if dir, err := os.UserConfigDir(); err == nil && o.User == "" {
		o.User = filepath.Join(dir, "reverse-spec")
	}
	if o.User != "" {
		if err := c.read(o.User, "config", false); err != nil {
			return nil, err
		}
	}
	if o.Project != "" {
		if err := c.read(o.Project, ".reverse-spec", true); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// set makes a setting unless it was made before.
func (c *Config) set(s setting, value, from string) error {
	if value == "" || c.from[s.key] != "" {
		return nil
	}
	if err := s.set(c, value); err != nil {
		return &Error{File: from, Err: err}
	}
	c.from[s.key] = from
	return nil
}

// Error is an invalid setting or file.
type Error struct {
	File string // the file, or the environment variable or flag
	Key  string // the setting in the file; "" for the whole file
	Err  error
}

func (e *Error) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *Error) In(lang message.Lang) string {
	if odd, ok := errors.AsType[*openfile.Error](e.Err); ok { // it names the file
		return message.New("wrong configuration: %v", odd).In(lang)
	}
	return message.New("wrong configuration: %s: %s%v", e.File, strings.TrimPrefix(e.Key+": ", ": "), e.Err).In(lang)
}

func (e *Error) Unwrap() error { return e.Err }

// endings returns the file extensions: JSON with comments and YAML.
func endings() []string { return []string{".json", ".yaml", ".yml"} }

// read reads the file with the given base name in a folder; two such files are an error.
func (c *Config) read(dir, name string, foreign bool) error {
	before := ""
	for _, ending := range endings() {
		file := filepath.Join(dir, name+ending)
		text, err := readFile(dir, name+ending, foreign)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && before != "" {
			err = message.Errorf("there is %s, too; keep one", filepath.Base(before))
		}
		if err != nil {
			return &Error{File: file, Err: err}
		}
		if err := c.parse(file, text, foreign); err != nil {
			return err
		}
		before = file
		c.Files = append(c.Files, file)
	}
	return nil
}

// readFile reads a file of a folder. Links out of a project's folder are not followed.
func readFile(dir, name string, foreign bool) ([]byte, error) {
	if foreign {
		return openfile.ReadIn(dir, name, openfile.MaxConfig)
	}
	return openfile.Read(filepath.Join(dir, name), openfile.MaxConfig)
}

// parse applies the settings in a file.
func (c *Config) parse(file string, text []byte, foreign bool) error {
	var value any
	var err error
	if filepath.Ext(file) == ".json" {
		err = decode.JSON(text, &value)
	} else {
		err = decode.YAML(text, &value)
	}
	tree, ok := value.(map[string]any)
	if err == nil && !ok && value != nil {
		err = message.Errorf("it does not have settings, but another value")
	}
	if err != nil {
		return &Error{File: file, Err: err}
	}
	values := map[string]string{}
	flatten("", tree, values)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(settings(), func(s setting) bool { return s.key == key })
		if i < 0 {
			c.Warnings = append(c.Warnings, message.New("%s: %s: %s", file, key, unknown(key)))
			continue
		}
		s := settings()[i]
		if foreign && !s.project(c, values[key]) {
			c.Warnings = append(c.Warnings, message.New("%s: %s: a project cannot set this to %q; set %s, or %s in your own config.yaml", file, key, suggest.Quote(values[key]), s.variable, key))
			continue
		}
		if foreign && values[key] != "" && !c.fixed[key] {
			delete(c.from, key) // it restricts the user's setting
		}
		if err := c.set(s, values[key], file); err != nil {
			return &Error{File: file, Key: key, Err: errors.Unwrap(err)}
		}
	}
	return nil
}

// flatten turns {"llm": {"model": "x"}} into "llm.model": "x".
func flatten(prefix string, tree map[string]any, into map[string]string) {
	for name, v := range tree {
		key := strings.TrimPrefix(prefix+"."+name, ".")
		switch v := v.(type) {
		case map[string]any:
			flatten(key, v, into)
		case nil:
		default:
			into[key] = fmt.Sprint(v)
		}
	}
}

// unknown reports an unknown setting and suggests the most similar one.
func unknown(key string) message.Text {
	last := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	if slices.Contains([]string{"exclude", "include", "ignore"}, strings.TrimSuffix(last, "s")) {
		return message.New("no such setting; files are left out by .reverse-specignore in the project's root, or for one run by --exclude and --include")
	}
	if strings.HasSuffix(last, "key") || strings.HasSuffix(last, "token") {
		return message.New("keys are taken from the environment alone: ANTHROPIC_API_KEY, OPENAI_API_KEY")
	}
	var keys []string
	for _, s := range settings() {
		keys = append(keys, s.key)
	}
	near := cmp.Or(suggest.Nearest(key, keys), suggest.Nearest("llm."+key, keys))
	if near == "" {
		return message.New("no such setting; there are %s", strings.Join(keys, ", "))
	}
	return message.New("no such setting; did you mean %s?", near)
}
