// Command licences writes the licences of what is linked into the program, for all systems that a release is for, as Markdown:
//
//	go run ./scripts/licences >THIRD_PARTY_LICENSES.md
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// systems are those of a release.
var systems = []string{"linux", "darwin", "windows"}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// module is a module that is linked.
type module struct{ path, version, dir string }

// linked returns the modules of the program for a system; "" for this one.
func linked(ctx context.Context, system string) (map[string]module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "github.com/reverse-spec/reverse-spec/cmd/reverse-spec")
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
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			modules[f[0]] = module{f[0], f[1], f[2]}
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
	names := slices.Sorted(maps.Keys(all))
	texts, users := map[string]string{}, map[string][]string{} // by text
	var order []string
	fmt.Fprint(w, "# Licences of what is linked into the program\n\nWritten by `make licences`; the texts are below the table.\n\n| module | version | licence |\n|---|---|---|\n")
	for _, name := range names {
		m := all[name]
		files, err := os.ReadDir(m.dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var kinds []string
		for _, f := range files {
			if f.IsDir() || !licenceFile.MatchString(f.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(m.dir, f.Name()))
			if err != nil {
				return err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
			if kind := kindOf(text); kind != "" && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			key := strings.Join(strings.Fields(text), " ")
			if texts[key] == "" {
				texts[key] = text
				order = append(order, key)
			}
			users[key] = append(users[key], name)
		}
		if len(kinds) == 0 {
			return fmt.Errorf("%s %s has no licence that is known", name, m.version)
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, m.version, strings.Join(kinds, ", "))
	}
	for _, key := range order {
		fmt.Fprintf(w, "\n## %s\n\n~~~text\n%s\n~~~\n", strings.Join(slices.Compact(users[key]), ", "), texts[key])
	}
	return nil
}

// kinds are the phrases by which licences are told, the most special first.
var kinds = []struct{ phrase, kind string }{
	{"Apache License Version 2.0", "Apache-2.0"},
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
