package manifest

import (
	"path"
	"slices"
	"strings"
)

// The manifests of C and C++: CMake, Meson, Autoconf, vcpkg and Conan.

// cmake reads project(), find_package() and fetched dependencies.
func (r *reader) cmake(file string, data []byte) error {
	f := Facts{Path: file, Dir: path.Dir(file)}
	eachCall(wordsOf(string(data), cmakeDialect), func(name string, tokens []word) {
		if args := plainArguments(tokens); len(args) > 0 {
			f.cmakeCommand(strings.ToLower(name), args)
		}
	})
	r.m.Native = append(r.m.Native, f)
	return nil
}

// cmakeCommand reads the arguments of a command; there is at least one.
func (f *Facts) cmakeCommand(name string, args []string) {
	switch name {
	case "project":
		f.Title, f.release, f.description = args[0], after(args, "VERSION"), after(args, "DESCRIPTION")
	case "find_package":
		q := Requirement{Name: args[0]}
		if len(args) > 1 && startsDigit(args[1]) {
			q.Version = args[1]
		}
		f.require(q)
	case "fetchcontent_declare":
		f.require(Requirement{Name: args[0], Version: after(args, "GIT_TAG")})
	case "pkg_check_modules":
		f.pkgConfig(args[1:])
	case "set":
		if strings.HasSuffix(args[0], "_STANDARD") && len(args) > 1 && f.Version == "" {
			f.Version = args[1]
		}
	}
}

// plainArguments returns words and strings, with "" for those that contain a variable.
func plainArguments(list []word) []string {
	var out []string
	for _, w := range list {
		switch {
		case strings.Contains(w.text, "${"):
			out = append(out, "")
		case w.literal || isWordByte(w.text[0]):
			out = append(out, w.text)
		}
	}
	return out
}

// after returns the argument after a keyword.
func after(args []string, keyword string) string {
	if i := slices.Index(args, keyword); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

// pkgConfig reads module names with version bounds, "glib-2.0 >= 2.40".
func (f *Facts) pkgConfig(args []string) {
	for _, arg := range args {
		fields := strings.Fields(arg)
		for i := 0; i < len(fields); i++ {
			name := fields[i]
			if slices.Contains([]string{"REQUIRED", "QUIET", "IMPORTED_TARGET", "GLOBAL", "STATIC"}, name) || !isWordByte(name[0]) {
				continue
			}
			bound := strings.IndexAny(name, "<>=")
			if bound < 0 {
				bound = len(name)
			}
			q := Requirement{Name: name[:bound], Version: name[bound:]}
			if i+2 < len(fields) && strings.ContainsAny(fields[i+1], "<>=") {
				q.Version = fields[i+1] + " " + fields[i+2]
				i += 2
			}
			f.require(q)
		}
	}
}

// meson reads project() and dependency().
func (r *reader) meson(file string, data []byte) error {
	f := Facts{Path: file, Dir: path.Dir(file)}
	eachCall(wordsOf(string(data), mesonDialect), func(name string, args []word) {
		all := literals(args)
		switch {
		case len(all) == 0 || !args[0].literal:
		case name == "project":
			f.Title, f.release = all[0], labelled(args, "version")
		case name == "dependency":
			f.require(Requirement{Name: all[0], Version: labelled(args, "version")})
		}
	})
	r.m.Native = append(r.m.Native, f)
	return nil
}

// autoconf reads AC_INIT([name], [version]) and PKG_CHECK_MODULES.
func (r *reader) autoconf(file string, data []byte) error {
	f := Facts{Path: file, Dir: path.Dir(file)}
	eachCall(wordsOf(string(data), m4Dialect), func(name string, tokens []word) {
		args := plainArguments(tokens)
		switch {
		case name == "AC_INIT" && len(args) > 0 && f.Title == "":
			f.Title = args[0]
			if len(args) > 1 {
				f.release = args[1]
			}
		case name == "PKG_CHECK_MODULES" && len(args) > 1:
			f.pkgConfig(args[1:2])
		}
	})
	r.m.Native = append(r.m.Native, f)
	return nil
}

// vcpkg reads a vcpkg.json.
func (r *reader) vcpkg(file string, data []byte) error {
	o, err := decodeObject(data)
	if err != nil {
		return err
	}
	f := Facts{Path: file, Dir: path.Dir(file), Title: text(o, "name"), description: text(o, "description")}
	for _, key := range []string{"version", "version-semver", "version-string", "version-date"} {
		if v := text(o, key); v != "" {
			f.release = v
		}
	}
	all, _ := o["dependencies"].([]any)
	for _, d := range all {
		switch d := d.(type) {
		case string:
			f.require(Requirement{Name: d})
		case map[string]any:
			_, host := d["host"]
			f.require(Requirement{Name: text(d, "name"), Version: text(d, "version>="), Dev: host})
		}
	}
	r.m.Native = append(r.m.Native, f)
	return nil
}

// conan reads a conanfile.txt.
func (r *reader) conan(file string, data []byte) error {
	f := Facts{Path: file, Dir: path.Dir(file)}
	section := ""
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		if name, version, ok := strings.Cut(line, "/"); ok && strings.HasSuffix(section, "requires") {
			version, _, _ = strings.Cut(version, "@")
			f.require(Requirement{Name: name, Version: version, Dev: section != "requires"})
		}
	}
	r.m.Native = append(r.m.Native, f)
	return nil
}
