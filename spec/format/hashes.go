package format

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Hashes returns, for each module, a hash of what the project's specs in a format have of it. The error is that of reading.
func Hashes(ctx context.Context, p *project.Project, name string) (map[string]string, error) {
	w := &writer{ctx: ctx, project: p, in: Input{Format: name}, result: &Result{}, groups: groups{placed: map[string]string{}}}
	texts := map[string]string{}
	add := func(module, text string) { texts[module] += text + "\x00" }
	var err error
	switch name {
	case "openspec":
		err = w.eachBlock(add)
	case "speckit":
		err = w.eachDocument("specs", "spec.md", add)
	case "ears":
		err = w.eachDocument(kiroDir, "requirements.md", add)
	}
	out := map[string]string{}
	for module, text := range texts {
		sum := sha256.Sum256([]byte(text))
		out[module] = hex.EncodeToString(sum[:])
	}
	return out, err
}

// eachBlock calls f with the module and the text of each requirement that this program wrote, with its capability.
func (w *writer) eachBlock(f func(module, text string)) error {
	list, err := w.readOpenSpec()
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(list) {
		for i := range list[name].blocks {
			if b := &list[name].blocks[i]; b.module() != "" {
				f(b.module(), name+"\n"+b.raw)
			}
		}
	}
	return nil
}

// eachDocument calls f with each module of each document in the folders of a folder.
func (w *writer) eachDocument(dir, file string, f func(module, text string)) error {
	list, err := w.names(dir)
	if err != nil {
		return err
	}
	for _, name := range list {
		text, err := w.read(path.Join(dir, name, file))
		if err != nil {
			return err
		}
		for _, module := range modulesOf(text) {
			f(module, name+"\n"+string(text))
		}
	}
	return nil
}
