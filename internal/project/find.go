package project

import (
	"os"
	"path/filepath"
)

// Find returns the root of the project that contains dir, a folder or file, as found by [Around]; if there is none,
// dir itself or the file's folder. The path is absolute if dir can be made so.
func Find(dir string) string {
	if root, ok := Around(dir); ok {
		return root
	}
	return folderOf(dir)
}

// Around returns the root of the project around dir, a folder or file: the nearest folder at or above it with .git;
// else the nearest with a build file (go.mod, package.json, pyproject.toml, setup.py, Cargo.toml, pom.xml,
// build.gradle). It returns false if there is none.
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

// For returns the project root for an absolute path used from the working folder from: the project around from, if
// there is one and it contains the path; else the project [Around] the path; else the folder that contains the
// specs folder, or the path's folder. A folder that is not a project, such as the file system's root or a home
// folder, is thus never used as one. A project found only by its build file does not include nested repositories.
func For(from, path string) string {
	here, real := Around(from)
	if real && holds(here, path) && (repository(here) != "" || repository(folderOf(path)) == "") {
		return here
	}
	if own, ok := Around(path); ok {
		return own
	}
	if real && holds(path, here) { // no enclosing project
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

// holds reports whether a folder contains a path, after following links.
func holds(dir, path string) bool {
	for _, p := range []*string{&dir, &path} {
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	_, ok := inside(dir, path)
	return ok
}

// folderOf returns the absolute path of the folder dir, or of the folder of the file dir.
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
