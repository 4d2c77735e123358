package agents

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// ours is a line in the front matter of our skills, which distinguishes them from a user's
// skill of the same name.
var ours = []byte("\n  author: reverse-spec\n")

const skillFile = "SKILL.md"

// skillChanges returns the changes that add skills to a folder or remove them. A skill of
// someone else with the same name is left alone.
func skillChanges(dir string, skills fs.FS, remove bool) ([]Change, error) {
	folders, err := fs.ReadDir(skills, ".")
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, folder := range folders {
		name := folder.Name()
		head := filepath.Join(dir, name, skillFile)
		text, err := openfile.Read(head, openfile.MaxConfig)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !bytes.Contains(text, ours):
			changes = append(changes, Change{File: head, Note: message.New("another skill of this name is there, and stays")})
			continue
		}
		list, err := skillFiles(filepath.Join(dir, name), name, skills, remove)
		if err != nil {
			return nil, err
		}
		changes = append(changes, list...)
	}
	return changes, nil
}

// skillFiles returns the changes of one skill's files.
func skillFiles(dir, name string, skills fs.FS, remove bool) ([]Change, error) {
	var changes []Change
	err := fs.WalkDir(skills, name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		after, err := fs.ReadFile(skills, file)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(filepath.FromSlash(name), filepath.FromSlash(path.Clean(file))) // file is below name
		c := Change{File: filepath.Join(dir, rel), After: after}
		if c.Before, err = openfile.Read(c.File, openfile.MaxConfig); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if remove {
			c.After = nil
		}
		changes = append(changes, c)
		return nil
	})
	return changes, err
}
