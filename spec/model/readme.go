package model

import (
	"path"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// readme returns the first paragraph of the README nearest to the target that has one.
func readme(p *project.Project, target string) []item {
	for dir := target; ; dir = path.Dir(dir) {
		if text := FolderPurpose(p, dir); text != "" {
			return []item{{full: text}}
		}
		if dir == "." || dir == "/" {
			return nil
		}
	}
}

// readReadme returns the README in a folder without secrets, or "" if there is none.
func readReadme(p *project.Project, dir string) (file, text string) {
	file, raw := rawReadme(p, dir)
	if file == "" {
		return "", ""
	}
	text, _ = redact.Text(raw, redact.Hints{Path: file})
	return file, text
}

// rawReadme returns the README in a folder as it is written.
func rawReadme(p *project.Project, dir string) (file, text string) {
	for _, name := range []string{"README.md", "readme.md", "README.rst", "README.txt", "README"} {
		file := path.Join(dir, name)
		if raw, err := p.ReadFile(file); err == nil && !project.IsBinary(raw) {
			return file, string(raw)
		}
	}
	return "", ""
}
