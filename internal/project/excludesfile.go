package project

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// excludesFile returns the user's ignore file: the last core.excludesFile in the configuration, or git's default.
// The system's configuration and included files are not read. It returns "" if there is no home folder.
func excludesFile(gitDir string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" {
		xdg = filepath.Join(home, ".config")
	}
	name := ""
	for _, file := range append(userGitConfigs(), filepath.Join(gitDir, "config")) {
		if v, ok := coreExcludesFile(file); ok {
			name = v
		}
	}
	switch {
	case name == "":
		return filepath.Join(xdg, "git", "ignore")
	case strings.HasPrefix(name, "~/"):
		return filepath.Join(home, name[2:])
	}
	return name
}

// userGitConfigs returns the files of the user's git configuration.
func userGitConfigs() []string {
	if own, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		return []string{own}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" {
		xdg = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig")}
}

// coreExcludesFile reads the setting from a configuration file; false if the file is missing or invalid, or lacks
// the setting.
func coreExcludesFile(file string) (string, bool) {
	text, err := openfile.Read(file, openfile.MaxConfig)
	if err != nil {
		return "", false
	}
	c := config.New()
	if err := config.NewDecoder(bytes.NewReader(text)).Decode(c); err != nil || !c.HasSection("core") {
		return "", false
	}
	core := c.Section("core")
	return core.Option("excludesfile"), core.HasOption("excludesfile")
}
