package service

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// Versions are the versions of libraries by their names in lower case, as lock files have them.
type Versions map[string]string

// fact is what a library does from a version on, and not before.
type fact struct{ library, since string }

// facts of frameworks that differ by version.
var (
	// expressAwaits: a rejected promise of a handler reaches the handlers of errors (https://expressjs.com/en/guide/error-handling.html).
	expressAwaits = fact{"express", "5.0.0"}
	// fastapi401: security classes refuse with 401, not 403 (https://fastapi.tiangolo.com/how-to/authentication-error-status-code/).
	fastapi401 = fact{"fastapi", "0.122.0"}
)

// lockFiles are the files with exact versions, in the folders of manifests, and how they are read.
var lockFiles = map[string]func(out Versions, data []byte){
	"poetry.lock": tomlLock, "uv.lock": tomlLock, "Cargo.lock": tomlLock, "package-lock.json": npmLock, "npm-shrinkwrap.json": npmLock, "pnpm-lock.yaml": pnpmLock, "yarn.lock": yarnLock,
	"Gemfile.lock": gemLock, "composer.lock": composerLock,
}

// ReadVersions returns the versions of libraries in the lock files of a project. Of several the one at the root counts.
func ReadVersions(m *manifest.Manifests, read func(file string) ([]byte, error)) Versions {
	out := Versions{}
	dirs := []string{"."}
	if m != nil {
		for _, p := range m.Packages() {
			dirs = append(dirs, path.Dir(p.Manifest))
		}
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		if seen[dir] {
			continue
		}
		seen[dir] = true
		for name, parse := range inOrder(lockFiles) {
			data, err := read(path.Join(dir, name))
			if err != nil {
				continue
			}
			found := Versions{}
			parse(found, data)
			for library, version := range found {
				if out[library] == "" {
					out[library] = version
				}
			}
		}
	}
	return out
}

// tomlLock reads name = "x" and version = "1" of poetry, uv and cargo.
func tomlLock(out Versions, data []byte) {
	name := ""
	for line := range bytes.Lines(data) {
		key, value, ok := strings.Cut(strings.TrimSpace(string(line)), " = ")
		switch value = strings.Trim(value, `"`); {
		case !ok:
		case key == "name":
			name = strings.ToLower(value)
		case key == "version" && name != "":
			out[name], name = value, ""
		}
	}
}

// npmLock reads "node_modules/x": { "version": "1" } and, of older files, "x": { "version": "1" }.
func npmLock(out Versions, data []byte) {
	name := ""
	for line := range bytes.Lines(data) {
		key, value, ok := strings.Cut(strings.TrimSpace(string(line)), ": ")
		key, value = strings.Trim(key, `"`), strings.Trim(strings.TrimRight(value, ","), `"`)
		switch {
		case !ok:
		case value == "{":
			name = strings.ToLower(strings.TrimPrefix(key, "node_modules/"))
		case key == "version" && out[name] == "":
			out[name] = value
		}
	}
}

// pnpmLock reads the keys of packages: /express@4.18.2: or express@4.18.2:.
func pnpmLock(out Versions, data []byte) {
	for line := range bytes.Lines(data) {
		text := strings.Trim(strings.TrimRight(strings.TrimSpace(string(line)), ":"), "'/")
		at := strings.LastIndexByte(text, '@')
		if at > 0 && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9' && bytes.HasPrefix(line, []byte("  ")) && !strings.Contains(text, " ") {
			version, _, _ := strings.Cut(text[at+1:], "(")
			if name := strings.ToLower(text[:at]); out[name] == "" {
				out[name] = version
			}
		}
	}
}

// yarnLock reads express@^4.18.0: and the version below it.
func yarnLock(out Versions, data []byte) {
	name := ""
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if line[0] != ' ' && strings.HasSuffix(text, ":") {
			first, _, _ := strings.Cut(strings.Trim(text, `":`), ",")
			if at := strings.LastIndexByte(first, '@'); at > 0 {
				name = strings.ToLower(first[:at])
			}
			continue
		}
		if version, ok := strings.CutPrefix(text, "version"); ok && name != "" {
			out[name], name = strings.Trim(version, `: "`), ""
		}
	}
}

// gemLock reads lines of four spaces: rails (7.1.0).
func gemLock(out Versions, data []byte) {
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		name, version, ok := strings.Cut(strings.TrimPrefix(text, "    "), " (")
		if ok && strings.HasPrefix(text, "    ") && !strings.HasPrefix(text, "     ") {
			out[strings.ToLower(name)] = strings.TrimRight(version, ")")
		}
	}
}

// composerLock reads "name": "x/y" and "version": "v1".
func composerLock(out Versions, data []byte) {
	name := ""
	for line := range bytes.Lines(data) {
		key, value, _ := strings.Cut(strings.TrimSpace(string(line)), ": ")
		switch value = strings.Trim(value, `",`); key {
		case `"name"`:
			name = strings.ToLower(value)
		case `"version"`:
			if out[name] == "" {
				out[name] = strings.TrimPrefix(value, "v")
			}
		}
	}
}

// has reports whether the project's version of a library has a fact, as far as a lock file or the range in a manifest says.
func (p *Project) has(f fact) bool {
	if version := p.Versions[f.library]; version != "" {
		return !earlier(version, f.since)
	}
	if p.Manifests == nil {
		return false
	}
	for _, pkg := range p.Manifests.Packages() {
		for _, d := range pkg.Dependencies {
			if strings.EqualFold(d.Name, f.library) {
				if is, known := inRange(d.Version, f.since); known {
					return is
				}
			}
		}
	}
	return false
}

// inRange reports whether all versions of a range are at least since; known is false if only some are.
func inRange(text, since string) (is, known bool) {
	text = strings.TrimSpace(text)
	digits := strings.TrimLeft(text, "^~=v> ")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return false, false
	}
	low, _, _ := strings.Cut(strings.ReplaceAll(digits, " ", ","), ",")
	if !earlier(low, since) {
		return true, true
	}
	switch text[0] {
	case '^':
		major, _, _ := strings.Cut(low, ".")
		sinceMajor, _, _ := strings.Cut(since, ".")
		return false, major != sinceMajor
	case '>':
		return false, false
	}
	return false, true // an exact version, or one with small changes
}

// earlier reports whether a version comes before another one, by their numbers.
func earlier(a, b string) bool {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if m, n := number(x), number(y); m != n {
			return m < n
		}
	}
	return false
}

// number returns the number at the beginning of a text; 0 for none.
func number(text string) int {
	n, _ := strconv.Atoi(text[:len(text)-len(strings.TrimLeft(text, "0123456789"))])
	return n
}
