// Package ownfiles keeps what the program knows about projects outside them, as JSON. The files of one project begin with the same
// name, so that they can be found and removed together.
package ownfiles

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Name returns the beginning of the names of the files about the project in a folder, or about parts of what is kept.
func Name(root string, parts ...string) string {
	name := short(root)
	if len(parts) > 0 {
		name += "-" + short(strings.Join(parts, "\x00"))
	}
	return name
}

func short(text string) string {
	const bytes = 8
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

// most limits the size of a file in bytes.
const most = 64 << 20

// Read reads a value that [Write] wrote. What is missing, or cannot be read, leaves the value as it is: all of it can be made again.
func Read(file string, value any) {
	if text, err := openfile.Read(file, most); err == nil {
		_ = json.Unmarshal(text, value)
	}
}

// Write writes a value, and makes the folder of the file. What cannot be written only costs the next run its time.
func Write(file string, value any) {
	text, err := json.Marshal(value)
	if err == nil && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		_ = atomicfile.File(file, text, 0o600)
	}
}

// Find returns the files in some folders that are about a project, with their size in bytes; with root "" all files in them.
func Find(root string, folders ...string) (files []string, size int64, err error) {
	for _, folder := range folders {
		list, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		for _, f := range list {
			if !f.Type().IsRegular() || root != "" && !strings.HasPrefix(f.Name(), Name(root)) {
				continue
			}
			if info, err := f.Info(); err == nil {
				files, size = append(files, filepath.Join(folder, f.Name())), size+info.Size()
			}
		}
	}
	return files, size, nil
}
