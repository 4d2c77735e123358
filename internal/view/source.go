package view

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// pageLines is the number of lines per page.
const pageLines = 3000

// sourcePage is the data of a source page.
type sourcePage struct {
	Path    string
	Folder  string
	NameAt  int // offset of the file's name in the path
	Lines   []line
	Total   int // lines of the file
	Symbols []symbol
	Before  string // address of the previous lines; "" for none
	After   string
	Asked   int // the requested line; 0 for none
}

type line struct {
	Number int
	Text   string
	Asked  bool
}

// symbol is a declaration of a file.
type symbol struct {
	Name, Kind string
	Signature  string
	Address    string
	Exported   bool
	Members    []symbol
}

// source returns the page of a source file. The parameter line selects the part of a long
// file.
func (s *Site) source(r *http.Request) (answer, error) {
	name := r.PathValue("path")
	if _, err := s.project.Rel(name); err != nil {
		return answer{}, err
	}
	files, err := filesOf(r.Context(), s.project)
	if err != nil {
		return answer{}, err
	}
	if !files[name] {
		return answer{}, &notFoundError{message.New("The project has no file %q, or git ignores it.", name)}
	}
	data, err := s.project.ReadFile(name)
	if err != nil {
		return answer{}, err
	}
	if project.IsBinary(data) {
		return answer{}, &project.BinaryError{Path: name}
	}
	asked, _ := strconv.Atoi(r.FormValue("line")) // an invalid number is no line
	page := sourcePage{Path: name, Folder: path.Dir(name), NameAt: len(name) - len(path.Base(name)), Asked: asked, Symbols: s.symbols(r, name)}
	page.cut(strings.ToValidUTF8(string(data), "\ufffd"), s.options.Static)
	return answer{template: "source.html", title: name, data: page}, nil
}

// cut selects the requested lines, or all.
func (p *sourcePage) cut(text string, all bool) {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	p.Total = len(lines)
	from, most := 0, pageLines
	if all {
		most = len(lines)
	}
	if !all && 0 < p.Asked && p.Asked <= len(lines) {
		from = (p.Asked - 1) / pageLines * pageLines
	}
	to := min(from+most, len(lines))
	for i, text := range lines[from:to] {
		p.Lines = append(p.Lines, line{from + i + 1, text, from+i+1 == p.Asked})
	}
	if from > 0 {
		p.Before = fmt.Sprintf("%s?line=%d", at("source", p.Path), from)
	}
	if to < len(lines) {
		p.After = fmt.Sprintf("%s?line=%d", at("source", p.Path), to+1)
	}
}

// symbols returns the declarations of a file, none for unknown languages.
func (s *Site) symbols(r *http.Request, name string) []symbol {
	tree, err := source.Read(r.Context(), s.project, name, source.Options{})
	if err != nil || len(tree.Files) == 0 {
		return nil
	}
	return symbolsOf(name, tree.Files[0].Symbols)
}

func symbolsOf(file string, list []code.Symbol) []symbol {
	var out []symbol
	for i := range list {
		d := &list[i]
		out = append(out, symbol{
			Name: d.Name, Kind: string(d.Kind), Signature: d.Signature, Exported: d.Exported,
			Address: lineLink(file, d.StartLine), Members: symbolsOf(file, d.Members),
		})
	}
	return out
}
