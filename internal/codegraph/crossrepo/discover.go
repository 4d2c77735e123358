package crossrepo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// discovered returns the repositories of a configuration and those found in its search folders: folders with .git
// or a package manifest. If a name is taken, the name of the parent folder is put in front.
func discovered(c *Config) ([]RepositoryConfig, error) {
	repos := slices.Clone(c.Repositories)
	if !c.Discover.Enabled {
		return repos, nil
	}
	for _, dir := range c.Discover.Search {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, message.Errorf("look for repositories: %w", err)
		}
		for _, e := range entries {
			path, err := filepath.EvalSymlinks(filepath.Join(dir, e.Name()))
			if err != nil || strings.HasPrefix(e.Name(), ".") || !isRepository(path) {
				continue
			}
			if slices.ContainsFunc(repos, func(r RepositoryConfig) bool { return r.Path == path }) {
				continue
			}
			name := strings.Map(func(r rune) rune {
				if strings.ContainsRune(invalidNameChars, r) {
					return '_'
				}
				return r
			}, e.Name())
			if slices.ContainsFunc(repos, func(r RepositoryConfig) bool { return r.Name == name }) {
				name = filepath.Base(dir) + "-" + name
			}
			repos = append(repos, RepositoryConfig{Name: name, Path: path, Contracts: c.Discover.Contracts})
		}
	}
	return repos, nil
}

// isRepository reports whether a folder is the root of a repository.
func isRepository(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return e.Name() == ".git" || !e.IsDir() && manifest.IsManifest(e.Name())
	})
}
