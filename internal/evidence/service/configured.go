package service

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// ConfigurationFile is a file with the values of settings.
type ConfigurationFile = settings.Text

// IsConfiguration reports whether a file may have the values of settings, by its path.
func IsConfiguration(file string) bool { return settings.Wanted(file) }

// ConfigurationOf returns the configuration files that are for some code files.
func ConfigurationOf(files []*code.File, all []ConfigurationFile) []ConfigurationFile {
	return settings.Around(files, all)
}
