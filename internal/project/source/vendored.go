package source

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// vendored tells third-party code: by its folder's name, unless .gitattributes
// says linguist-vendored, one way or the other.
type vendored struct {
	rules []attribute // from the top down; the last that matches decides
}

// attribute is one line of a .gitattributes file.
type attribute struct {
	pattern project.Pattern
	set     setting
}

type setting int

const (
	unspecified setting = iota // by the folder's name again
	yes
	no
)

// folders hold code that others wrote, by the custom of their package managers.
var folders = []string{
	"vendor", "third_party", "third-party", "thirdparty", "3rdparty", "node_modules", "bower_components",
	"jspm_packages", "Godeps", "site-packages", "Pods", "Carthage",
}

// newVendored reads the .gitattributes files of the listing and of the folders
// above it. One that cannot be read says nothing.
func newVendored(p *project.Project, l *project.Listing) *vendored {
	var files []string
	for dir := l.Target; dir != "."; {
		dir = path.Dir(dir)
		files = append(files, path.Join(dir, attributesFile))
	}
	slices.Reverse(files)
	below := len(files)
	for _, f := range l.Files {
		if path.Base(f.Path) == attributesFile {
			files = append(files, f.Path)
		}
	}
	slices.SortStableFunc(files[below:], func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	v := &vendored{}
	for _, name := range files {
		if text, err := p.ReadFile(name); err == nil {
			v.rules = append(v.rules, parseAttributes(path.Dir(name), string(text))...)
		}
	}
	return v
}

const attributesFile = ".gitattributes"

// SaysVendored reports whether a file of a name may say which files are third-party code:
// a listing for [ReadListed] has to have those.
func SaysVendored(name string) bool { return name == attributesFile }

// parseAttributes reads the lines that speak of linguist-vendored.
func parseAttributes(base, text string) []attribute {
	var rules []attribute
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, "linguist-vendored") || strings.HasPrefix(line, "[attr]") {
			continue
		}
		pattern, words := attributePattern(line)
		set, ok := vendoredSetting(words)
		if p, isPattern := project.ParsePattern(base, pattern); ok && isPattern && !p.Negated() {
			rules = append(rules, attribute{pattern: p, set: set})
		}
	}
	return rules
}

// attributePattern cuts the pattern, which may be quoted, from the attributes.
func attributePattern(line string) (pattern string, words []string) {
	if quoted, err := strconv.QuotedPrefix(line); err == nil && quoted[0] == '"' {
		if pattern, err := strconv.Unquote(quoted); err == nil {
			return pattern, strings.Fields(line[len(quoted):])
		}
	}
	words = strings.Fields(line)
	return words[0], words[1:]
}

// vendoredSetting returns what the last word that speaks of it says.
func vendoredSetting(words []string) (set setting, ok bool) {
	for _, word := range words {
		switch word {
		case "linguist-vendored", "linguist-vendored=true":
			set, ok = yes, true
		case "-linguist-vendored", "linguist-vendored=false":
			set, ok = no, true
		case "!linguist-vendored":
			set, ok = unspecified, true
		}
	}
	return set, ok
}

// is reports whether a file is third-party code.
func (v *vendored) is(name string) bool {
	for i := len(v.rules) - 1; i >= 0; i-- {
		if r := &v.rules[i]; r.pattern.Match(name, false) {
			if r.set == unspecified {
				break
			}
			return r.set == yes
		}
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(folders, path.Base(dir)) {
			return true
		}
	}
	return false
}
