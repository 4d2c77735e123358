package model

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/redact"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// readmeBytes is the maximum of README text in a context; readmeLeast is what it is cut to.
const readmeBytes, readmeLeast = 4_000, 800

// readme returns the start of the README nearest to the target.
func readme(p *project.Project, target string) []item {
	for dir := target; ; dir = path.Dir(dir) {
		if file, text := readReadme(p, dir); file != "" {
			return []item{{excerpt(file, text, readmeBytes), excerpt(file, text, readmeLeast)}}
		}
		if dir == "." || dir == "/" {
			return nil
		}
	}
}

// readReadme returns the README in a folder without secrets, or "" if there is none.
func readReadme(p *project.Project, dir string) (file, text string) {
	for _, name := range []string{"README.md", "readme.md", "README.rst", "README.txt", "README"} {
		file := path.Join(dir, name)
		raw, err := p.ReadFile(file)
		if err != nil || project.IsBinary(raw) {
			continue
		}
		clean, _ := redact.Text(string(raw), redact.Hints{Path: file})
		return file, clean
	}
	return "", ""
}

// excerpt returns the start of a document, up to the end of a paragraph.
func excerpt(file, text string, most int) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n")
	if len(text) > most {
		text = markdown.Clip(text, most)
		if i := strings.LastIndex(text, "\n\n"); i > most/2 {
			text = text[:i] + "\n\n…"
		}
	}
	return file + ":\n\n" + text
}
