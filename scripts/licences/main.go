// Command licences writes the licences of what is linked into the program, for all systems that a release is for, as Markdown:
//
//	go run ./scripts/licences >THIRD_PARTY_LICENSES.md
package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/scripts/copied"
)

// systems are those of a release.
var systems = []string{"linux", "darwin", "windows"}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// module is a module that is linked, with the folders of its packages that are.
type module struct {
	path, version, dir string
	packages           []string
}

// grammars are the licences of what was copied from the module of package copied, by the name of the folder, as their own repositories have them: the
// module is without them.
//
//go:embed grammars
var grammars embed.FS

// linked returns the modules of the program for a system; "" for this one.
func linked(ctx context.Context, system string) (map[string]module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "github.com/reverse-spec/reverse-spec/cmd/reverse-spec")
	cmd.Env = os.Environ()
	if system != "" {
		cmd.Env = append(cmd.Env, "GOOS="+system, "CGO_ENABLED=1")
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules for %s: %w", cmp.Or(system, "this system"), err)
	}
	modules := map[string]module{}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 {
			m := modules[f[0]]
			modules[f[0]] = module{f[0], f[1], f[2], append(m.packages, f[3])}
		}
	}
	return modules, nil
}

// licenceFile matches the names of files with licences and notices.
var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)`)

func run(ctx context.Context, w io.Writer) error {
	all := map[string]module{}
	for _, system := range systems {
		modules, err := linked(ctx, system)
		if err != nil {
			return err
		}
		maps.Copy(all, modules)
	}
	parsers, err := copied.Download(ctx)
	if err != nil {
		return err
	}
	all[parsers.Path] = module{parsers.Path, parsers.Version, parsers.Dir, nil}
	l := licences{texts: map[string]string{}, users: map[string][]string{}}
	fmt.Fprint(w, "# Licences of what is linked into the program\n\nWritten by `make licences`; the texts are below the tables.\n\n| module | version | licence |\n|---|---|---|\n")
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(all)) {
		m := all[name]
		kinds, err := l.add(name, os.DirFS(m.dir))
		if err != nil {
			return err
		}
		if len(kinds) == 0 {
			return fmt.Errorf("%s %s has no licence that is known", name, m.version)
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, m.version, strings.Join(kinds, ", "))
		more, err := l.parts(&m)
		if err != nil {
			return err
		}
		parts = append(parts, more...)
		if name != parsers.Path {
			continue
		}
		if more, err = l.grammars(name); err != nil {
			return err
		}
		parts = append(parts, more...)
	}
	fmt.Fprint(w, "\nParts of these with licences of their own:\n\n| part | licence |\n|---|---|\n")
	for _, p := range parts {
		fmt.Fprintf(w, "| %s | %s |\n", p.name, strings.Join(p.kinds, ", "))
	}
	for _, key := range l.order {
		fmt.Fprintf(w, "\n## %s\n\n~~~text\n%s\n~~~\n", strings.Join(slices.Compact(l.users[key]), ", "), l.texts[key])
	}
	return nil
}

// licences are texts, in the order in which they were found, and what is under each.
type licences struct {
	texts map[string]string
	users map[string][]string
	order []string
}

// part is a part of a module with a licence of its own.
type part struct {
	name  string
	kinds []string
}

// add adds the licences in a folder, and returns their kinds.
func (l *licences) add(name string, folder fs.FS) ([]string, error) {
	files, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var kinds []string
	for _, f := range files {
		if f.IsDir() || !licenceFile.MatchString(f.Name()) {
			continue
		}
		data, err := fs.ReadFile(folder, f.Name())
		if err != nil {
			return nil, err
		}
		if kind := l.text(name, string(data)); kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}

// text adds a licence, and returns its kind.
func (l *licences) text(name, text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	key := strings.Join(strings.Fields(text), " ")
	if l.texts[key] == "" {
		l.texts[key] = text
		l.order = append(l.order, key)
	}
	l.users[key] = append(l.users[key], name)
	return kindOf(text)
}

// parts adds the licences in the folders of a module's packages and above them.
func (l *licences) parts(m *module) ([]part, error) {
	var out []part
	seen := map[string]bool{}
	for _, dir := range slices.Sorted(slices.Values(m.packages)) {
		for ; dir != m.dir && !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			name := m.path + "/" + filepath.ToSlash(strings.TrimPrefix(dir, m.dir+string(filepath.Separator)))
			kinds, err := l.add(name, os.DirFS(dir))
			if err != nil {
				return nil, err
			}
			if len(kinds) > 0 {
				out = append(out, part{name, kinds})
			}
		}
	}
	return out, nil
}

// grammars adds the licences of the grammars and the library that a module has copies of.
func (l *licences) grammars(module string) ([]part, error) {
	files, err := grammars.ReadDir("grammars")
	if err != nil {
		return nil, err
	}
	var out []part
	for _, file := range files {
		text, err := grammars.ReadFile("grammars/" + file.Name())
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(file.Name(), ".txt")
		full := module + " (" + name + ")"
		out = append(out, part{full, []string{l.text(full, string(text))}})
	}
	return out, nil
}

// kinds are the phrases by which licences are told, the most special first.
var kinds = []struct{ phrase, kind string }{
	{"Apache License Version 2.0", "Apache-2.0"},
	{"COPYRIGHT AND PERMISSION NOTICE (ICU", "ICU"},
	{"Mozilla Public License Version 2.0", "MPL-2.0"},
	{"Mozilla Public License, version 2.0", "MPL-2.0"},
	{"Mozilla Public License, v. 2.0", "MPL-2.0"},
	{"Neither the name", "BSD-3-Clause"},
	{"name of the author may not be used", "BSD-3-Clause"},
	{"may be used to endorse or promote", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Permission to use, copy, modify, and/or distribute", "ISC"},
	{"Permission to use, copy, modify, and distribute", "ISC"},
	{"dedicated to the public domain", "public domain"},
	{"disclaims copyright to this source code", "public domain"},
}

// kindOf returns the SPDX id of a licence; "" if it is not known, or the text is a notice.
func kindOf(text string) string {
	flat := strings.Join(strings.Fields(text), " ")
	for _, k := range kinds {
		if strings.Contains(strings.ToLower(flat), strings.ToLower(k.phrase)) {
			return k.kind
		}
	}
	return ""
}
