package rag

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// foreignFolders are the names of folders with vendored or generated code.
var foreignFolders = []string{
	"node_modules", "vendor", ".git", "dist", "build", "third_party", "third-party", "bower_components", "site-packages",
}

// outputs are those of them that hold compiler output. Go has none, and packages of that name: go/build.
var outputs = []string{"dist", "build"}

// generatedName matches the names of generated files, by the conventions of generators.
var generatedName = lazyregexp.New(`(?i)(_generated|\.generated|\.gen|\.g|\.pb|_pb2|_pb2_grpc|_pb|\.pb\.gw|\.min|[-.]bundle)\.[a-z]+$|^zz_generated`)

// generatedMark matches the notice at the head of a generated file.
var generatedMark = lazyregexp.New(`(?i)code generated .{0,100}do not edit|@generated\b|<auto-?generated>|this file (was|is) (auto(matically)?[- ]?)?generated`)

const (
	headSize   = 2048    // bytes searched for the notice
	sampleSize = 1 << 16 // bytes in which lines are counted
	longLine   = 500     // mean line length in bytes from which a file counts as minified
)

// foreignPath reports whether a path is one of vendored or generated code.
func foreignPath(file string) bool {
	if generatedName.MatchString(path.Base(file)) {
		return true
	}
	compiled := path.Ext(file) != ".go"
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains(foreignFolders, folder) && (compiled || !slices.Contains(outputs, folder)) {
			return true
		}
	}
	return false
}

// boundary reports whether a candidate is vendored or generated code.
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
	clean     string // the text with secrets redacted; "" until first used
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
	read := p.ReadFile
	if p == f.own {
		read = f.graph.ReadFile
	}
	text, err := read(name)
	if err != nil || project.IsBinary(text) {
		return c
	}
	c.text = strings.ToValidUTF8(string(text), "�")
	sample := c.text[:min(sampleSize, len(c.text))]
	minified := len(sample) > longLine*(1+strings.Count(sample, "\n"))
	c.generated = minified || marked(c.text[:min(headSize, len(c.text))])
	return c
}

// marked reports whether the head of a file has the notice of a generator. The check for a word first is for speed.
func marked(head string) bool {
	return (strings.Contains(head, "enerated") || strings.Contains(head, "ENERATED")) && generatedMark.MatchString(head)
}

// between returns the lines from..to, 1-based and inclusive, without the last newline.
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
