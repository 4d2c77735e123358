package rag

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// foreign are the folders whose code others wrote, or a program.
var foreign = []string{ //nolint:gochecknoglobals // a table
	"node_modules", "vendor", ".git", "dist", "build", "third_party", "third-party", "bower_components", "site-packages",
}

// outputs are those of them that a compiler's output lies in. Go's never does, and
// has packages of the name: go/build.
var outputs = []string{"dist", "build"} //nolint:gochecknoglobals // a table

// generatedName is the name of a file that a program wrote, by the custom of
// generators.
var generatedName = regexp.MustCompile(`(?i)(_generated|\.generated|\.gen|\.g|\.pb|_pb2|_pb2_grpc|_pb|\.pb\.gw|\.min|[-.]bundle)\.[a-z]+$|^zz_generated`)

// generatedMark is what generators write at the head of a file.
var generatedMark = regexp.MustCompile(`(?i)code generated .{0,100}do not edit|@generated\b|<auto-?generated>|this file (was|is) (auto(matically)?[- ]?)?generated`)

const (
	headSize   = 2048    // bytes in which the mark is looked for
	sampleSize = 1 << 16 // bytes in which lines are counted
	longLine   = 500     // bytes a line has in the mean where a file is minified
)

// foreignPath reports whether a path is of vendored or generated code.
func foreignPath(file string) bool {
	if generatedName.MatchString(path.Base(file)) {
		return true
	}
	compiled := path.Ext(file) != ".go"
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains(foreign, folder) && (compiled || !slices.Contains(outputs, folder)) {
			return true
		}
	}
	return false
}

// boundary reports whether a candidate is code that nobody wrote here.
func (q *question) boundary(it *item) bool {
	if q.opts.Foreign || it.path == "" {
		return false
	}
	if foreignPath(it.path) {
		return true
	}
	c := q.files.read(it.project, it.path)
	return c.generated
}

// content is the text of a file.
type content struct {
	text      string
	generated bool
	clean     string // the text without secrets; "" before it was asked for
}

// read reads a file, once; one that cannot be read is empty.
func (f *files) read(p *project.Project, name string) *content {
	key := fileKey{p, name}
	c := f.contents[key]
	if c != nil {
		return c
	}
	c = &content{}
	f.contents[key] = c
	if p == nil || name == "" {
		return c
	}
	text, err := p.ReadFile(name)
	if err != nil || project.Binary(text) {
		return c
	}
	c.text = strings.ToValidUTF8(string(text), "�")
	sample := c.text[:min(sampleSize, len(c.text))]
	minified := len(sample) > longLine*(1+strings.Count(sample, "\n"))
	c.generated = minified || marked(c.text[:min(headSize, len(c.text))])
	return c
}

// marked reports whether the head of a file says that a program wrote it. Few files
// hold the word.
func marked(head string) bool {
	return (strings.Contains(head, "enerated") || strings.Contains(head, "ENERATED")) && generatedMark.MatchString(head)
}

// between returns some lines, from 1 and inclusive, without the last line end.
func (c *content) between(from, to int) string {
	if from < 1 {
		return ""
	}
	rest := c.text
	for range from - 1 {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	end := 0
	for range to - from + 1 {
		i := strings.IndexByte(rest[end:], '\n')
		if i < 0 {
			end = len(rest)
			break
		}
		end += i + 1
	}
	return strings.TrimRight(rest[:end], "\r\n")
}
