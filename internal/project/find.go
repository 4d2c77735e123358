package project

import (
	"os"
	"path/filepath"
)

// Find returns the root of the project that dir, a folder or a file, is in, as
// [Around] finds it; else dir itself, or the file's folder. The path is absolute
// when dir can be made so.
func Find(dir string) string {
	if root, ok := Around(dir); ok {
		return root
	}
	return folderOf(dir)
}

// Around returns the root of the project around dir, a folder or a file: the
// nearest folder at or above it that holds a .git; else the nearest that holds
// a build file (go.mod, package.json, pyproject.toml, setup.py, Cargo.toml,
// pom.xml, build.gradle). ok is false where there is none.
func Around(dir string) (root string, ok bool) {
	dir = folderOf(dir)
	if top := repository(dir); top != "" {
		return top, true
	}
	for at := dir; ; at = filepath.Dir(at) {
		if hasBuildFile(at) {
			return at, true
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

// For returns the root of the project that an absolute path belongs to for who works
// in the folder from: the project around that folder, when there is one and it holds
// the path; else the path's own: the one [Around] it, or, where there is none, the
// folder that the folder of specs stands in, or the path's folder. So a folder that is
// no project, such as the root of the file system or a home, takes in nothing. A
// project that only a build file makes does not take in what has a repository of its
// own.
func For(from, path string) string {
	here, real := Around(from)
	if real && holds(here, path) && (repository(here) != "" || repository(folderOf(path)) == "") {
		return here
	}
	if own, ok := Around(path); ok {
		return own
	}
	if real && holds(path, here) { // above it there is nothing of its own
		return here
	}
	const specs = "specs"
	for dir := folderOf(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == specs {
			return filepath.Dir(dir)
		}
	}
	return folderOf(path)
}

// holds reports whether a path lies in a folder, with links followed.
func holds(dir, path string) bool {
	for _, p := range []*string{&dir, &path} {
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	_, ok := inside(dir, path)
	return ok
}

// folderOf is dir, absolute, or the folder of the file that dir is.
func folderOf(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return dir
}

func hasBuildFile(dir string) bool {
	for _, name := range []string{
		"go.mod", "package.json", "pyproject.toml", "setup.py", "Cargo.toml",
		"pom.xml", "build.gradle", "build.gradle.kts",
	} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
