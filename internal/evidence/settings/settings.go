// Package settings finds the settings of a program: the environment variables and the keys of configuration files that it
// reads, with types and defaults, the classes that declare them, and what subclasses, other places and the files of profiles
// make of them. A library is a reader in a file of its own.
package settings

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Setting is a value that is given to a program from outside its code.
type Setting struct {
	Name     string   // the environment variable, or the key as its library writes it: "app.mail.host", "Mail:Host"
	Key      bool     // it is a key of configuration files, not an environment variable
	In       string   // the function or variable that reads it, if no class declares it
	Also     []string // other variables that are read if Name is not set
	Class    string   // that declares the field
	Type     string   // as written
	Default  string   // as written; "" if it has none, or it is not known
	Help     string
	Required bool
	Classes  []Value // the other classes, places and files in which it is not so
	At       []Place // of the field and its redeclarations
	Bound    []Place // where a section of the configuration is given to the class
}

// Value is what a setting is in a class, at another place, or in a file.
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
	// Shared are files of other modules: the functions that read what they are given the name of are known, and the classes
	// that are declared there and get their values here, or the other way round. They are read with whole bodies, too.
	Shared []*code.File
	Texts  []Text // the configuration files around them
	Links  *resolve.Links
	// Bodies returns the bodies of a file that was parsed with lang.Calls; nil if there are none.
	Bodies func(f *code.File) *code.Bodies
	// Stopped reports that nobody waits for the answer any more; what Find then returns is not complete; nil for never.
	Stopped func() bool
}

// stopped reports that nobody waits for the answer any more.
func (s Source) stopped() bool { return s.Stopped != nil && s.Stopped() }

// libraries are the readers: of classes that declare settings first, and of what any code reads last.
var libraries = []func(Source) Declared{readPydantic, readSpring, readOptions, readTags, readSchemas, readViper, readUses}

// Find returns the settings that files declare, those of base classes first.
func Find(s Source) Declared {
	var out Declared
	for _, read := range libraries {
		d := read(s)
		for i := range d.Settings {
			out.add(&d.Settings[i])
		}
		out.Files = append(out.Files, d.Files...)
	}
	s.configured(&out)
	out.Settings = slices.DeleteFunc(out.Settings, func(k Setting) bool { return s.foreign(slices.Concat(k.At, k.Bound)) })
	return out
}

// foreign reports whether places in code are all in files of other modules.
func (s Source) foreign(places []Place) bool {
	in := func(list []*code.File) bool {
		return slices.ContainsFunc(places, func(at Place) bool {
			return slices.ContainsFunc(list, func(f *code.File) bool { return f.Path == at.File })
		})
	}
	return in(s.Shared) && !in(s.Files)
}

// own reports whether a file is one of those whose settings are looked for.
func (s Source) own(file string) bool {
	return slices.ContainsFunc(s.Files, func(f *code.File) bool { return f.Path == file })
}

// add adds a variable of a class: a new setting, or what the class makes of a known one.
func (d *Declared) add(s *Setting) {
	i := slices.IndexFunc(d.Settings, func(k Setting) bool { return k.Name == s.Name && k.Key == s.Key })
	if i < 0 {
		d.Settings = append(d.Settings, *s)
		return
	}
	known := &d.Settings[i]
	switch where := cmp.Or(s.Class, s.In); {
	case s.Default == "" && !s.Required || known.Default == s.Default && known.Required == s.Required:
	case s.Class == "" && known.Class == "" && known.Default == "" && !known.Required: // the first place says nothing of it
		known.Default, known.In = s.Default, s.In
	case s.Class == "" && s.Required, where == "":
	default:
		known.Classes = append(known.Classes, Value{where, s.Default, s.Required})
	}
	known.Type, known.Help = cmp.Or(known.Type, s.Type), cmp.Or(known.Help, s.Help)
	known.At, known.Bound = with(known.At, s.At), with(known.Bound, s.Bound)
}

// with adds places to others, each once.
func with(list, more []Place) []Place {
	for _, at := range more {
		if !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
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
