package workspace

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
