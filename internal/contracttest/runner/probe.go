package runner

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Probe returns a bash command that does nothing but start a tool as its tests do, in its folder: it fails if the tool, or
// what it needs before it can run a test, is missing or unfit. Files are those of the tests. "" if there is none.
func Probe(tool, dir string, files []string, has func(name string) bool) string {
	h := home{dir: dir}
	if dir == "" {
		h.dir = "."
	}
	command := ""
	switch tool {
	case "go test":
		var packages []string
		for _, f := range files {
			packages = add(packages, word("./"+path.Dir(h.rel(f))))
		}
		command = "go list -deps -test " + strings.Join(packages, " ") + " >/dev/null"
	case "pytest", "unittest", "doctest":
		command = "python3 -c 'import " + tool + "'"
	case "manage.py test":
		command = "python3 -c 'import django'"
	case "vitest", "jest", "mocha", "ava", "tape":
		command = "npx --no-install " + tool + " --version"
	case "node --test":
		command = "node --version"
	case "cargo test", "cargo test --doc":
		command = "cargo metadata --format-version 1 >/dev/null"
	case "mvn":
		command = "mvn -q validate"
		if has(path.Join(h.dir, "mvnw")) {
			command = "./mvnw -q validate"
		}
	case "gradle":
		command = gradleWrapper(h.dir, has) + " --version"
	case "rspec", "phpunit", "pest", "dotnet test", "swift test":
		command = strings.Fields(tool)[0] + " --version"
		if i := slices.IndexFunc([]string{"Gemfile", "vendor/bin/" + tool}, func(f string) bool { return has(path.Join(h.dir, f)) }); i >= 0 {
			command = []string{"bundle exec ", "vendor/bin/"}[i] + command
		}
	}
	if command == "" {
		return ""
	}
	return h.enter() + command
}

// gradleWrapper returns how Gradle is called in a folder: by the wrapper in it, or in one above it.
func gradleWrapper(dir string, has func(name string) bool) string {
	for up := ""; ; up += "../" {
		switch {
		case has(path.Join(dir, "gradlew")):
			return cmp.Or(up, "./") + "gradlew"
		case dir == "." || dir == "":
			return "gradle"
		}
		dir = path.Dir(dir)
	}
}
