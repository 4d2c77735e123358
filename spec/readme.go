package spec

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/redact"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// readmeBytes is how much of a README a context holds, and the least that is left of it.
const readmeBytes, readmeLeast = 4_000, 800

// readme returns the beginning of the README that is nearest to the target.
func readme(p *workspace.Project, target string) []item {
	for dir := target; ; dir = path.Dir(dir) {
		for _, name := range []string{"README.md", "readme.md", "README.rst", "README.txt", "README"} {
			file := path.Join(dir, name)
			text, err := p.ReadFile(file)
			if err != nil || workspace.Binary(text) {
				continue
			}
			clean, _ := redact.Text(string(text), redact.Hints{Path: file})
			return []item{{excerpt(file, clean, readmeBytes), excerpt(file, clean, readmeLeast)}}
		}
		if dir == "." || dir == "/" {
			return nil
		}
	}
}

// excerpt is the beginning of a document, up to the end of a paragraph.
func excerpt(file, text string, most int) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n")
	if len(text) > most {
		text = clip(text, most)
		if i := strings.LastIndex(text, "\n\n"); i > most/2 {
			text = text[:i] + "\n\n…"
		}
	}
	return file + ":\n\n" + text
}
