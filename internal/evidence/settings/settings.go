// Package settings finds the settings that classes declare: the environment variables that their fields are read from, with
// types and defaults, and what subclasses for other environments make of them. A library is a reader in a file of its own.
package settings

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Setting is a value that the environment gives to a field.
type Setting struct {
	Name     string   // the environment variable
	Also     []string // other variables that are read if Name is not set
	Class    string   // that declares the field
	Type     string   // as written
	Default  string   // as written; "" if it has none, or it is not known
	Help     string
	Required bool
	Classes  []Value // the other classes of the variable in which it is not so
	At       []Place // of the field and its redeclarations
}

// Value is the default of a setting in a class.
type Value struct {
	Class, Default string
	Required       bool
}

// File is a file that classes read variables from.
type File struct {
	Name    string
	Classes []string
	At      []Place
}

// Place is a line of a file and some text on it.
type Place struct {
	File string
	Line int
	Text string
}

// Declared is what the classes of some files declare.
type Declared struct {
	Settings []Setting
	Files    []File
}

// Source is where settings are looked for.
type Source struct {
	Files []*code.File
	Links *resolve.Links
	// Bodies returns the bodies of a file that was parsed with lang.Calls; nil if there are none.
	Bodies func(f *code.File) *code.Bodies
}

// libraries are the readers of the libraries that declare settings by classes.
var libraries = []func(Source) Declared{readPydantic}

// Find returns the settings that files declare, those of base classes first.
func Find(s Source) Declared {
	var out Declared
	for _, read := range libraries {
		d := read(s)
		out.Settings, out.Files = append(out.Settings, d.Settings...), append(out.Files, d.Files...)
	}
	return out
}

// add adds a variable of a class: a new setting, or what the class makes of a known one.
func (d *Declared) add(s *Setting) {
	i := slices.IndexFunc(d.Settings, func(k Setting) bool { return k.Name == s.Name })
	if i < 0 {
		d.Settings = append(d.Settings, *s)
		return
	}
	known := &d.Settings[i]
	decided := s.Default != "" || s.Required
	if decided && (known.Default != s.Default || known.Required != s.Required) {
		known.Classes = append(known.Classes, Value{s.Class, s.Default, s.Required})
	}
	for _, at := range s.At {
		if !slices.Contains(known.At, at) {
			known.At = append(known.At, at)
		}
	}
}

// addFile adds a file that a class reads.
func (d *Declared) addFile(name, class string, at Place) {
	i := slices.IndexFunc(d.Files, func(k File) bool { return k.Name == name })
	if i < 0 {
		i = len(d.Files)
		d.Files = append(d.Files, File{Name: name})
	}
	f := &d.Files[i]
	f.Classes = append(f.Classes, class)
	if !slices.Contains(f.At, at) {
		f.At = append(f.At, at)
	}
}
