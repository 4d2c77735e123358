package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// DefaultHome returns the data folder of this program and user: below $XDG_DATA_HOME or ~/.local/share, on macOS
// below ~/Library/Application Support, on Windows below %LocalAppData%.
func DefaultHome() (string, error) {
	data, err := userDataDir()
	if err != nil {
		return "", message.Errorf("there is no folder for the user's data: %w; set REVERSE_SPEC_HOME", err)
	}
	return filepath.Join(data, "reverse-spec"), nil
}

func userDataDir() (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("%LocalAppData% is not defined")
	case "darwin", "ios":
		home, err := os.UserHomeDir()
		return filepath.Join(home, "Library", "Application Support"), err
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the XDG specification ignores relative paths
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share"), err
}
