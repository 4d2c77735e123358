package source

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// vendored recognizes third-party code: by its folder's name, unless .gitattributes sets or unsets
// linguist-vendored.
type vendored struct {
	rules []attribute // from the top down; the last match decides
}

// attribute is a line of a .gitattributes file.
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

// folders are the conventional names of folders with third-party code.
var folders = []string{
	"vendor", "third_party", "third-party", "thirdparty", "3rdparty", "node_modules", "bower_components",
	"jspm_packages", "Godeps", "site-packages", "Pods", "Carthage",
}

// newVendored reads the .gitattributes files in the listing and in the folders above it. Unreadable ones are
// ignored.
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

// IsVendorConfig reports whether files with a name may mark third-party code: a listing for [ReadListed] must contain
// them.
func IsVendorConfig(name string) bool { return name == attributesFile }

// parseAttributes parses the lines with linguist-vendored.
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

// attributePattern splits a line into the pattern, which may be quoted, and the attributes.
func attributePattern(line string) (pattern string, words []string) {
	if quoted, err := strconv.QuotedPrefix(line); err == nil && quoted[0] == '"' {
		if pattern, err := strconv.Unquote(quoted); err == nil {
			return pattern, strings.Fields(line[len(quoted):])
		}
	}
	words = strings.Fields(line)
	return words[0], words[1:]
}

// vendoredSetting returns the last setting of linguist-vendored.
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
