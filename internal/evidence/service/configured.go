package service

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// ConfigurationFile is a file with the values of settings.
type ConfigurationFile = settings.Text

// IsConfiguration reports whether a file may have the values of settings, by its path.
func IsConfiguration(file string) bool { return settings.Wanted(file) }

// ConfigurationOf returns the configuration files that are for some code files, and those for files that share settings with them.
func ConfigurationOf(files, sharing []*code.File, all []ConfigurationFile) []ConfigurationFile {
	return settings.Around(files, sharing, all)
}

// SharedSettings is what the texts of files say of settings that modules share.
type SharedSettings = settings.Sharing

// SharesSettings reports whether modules in a language share settings in a way that texts show.
func SharesSettings(language string) bool { return settings.Shares(language) }

// MayReadSettings reports whether the code of a file may read the environment, by its text.
func MayReadSettings(text []byte) bool { return settings.MayRead(text) }
