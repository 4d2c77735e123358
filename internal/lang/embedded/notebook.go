package embedded

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/ecma"
	"github.com/reverse-spec/reverse-spec/internal/lang/golang"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm"
	"github.com/reverse-spec/reverse-spec/internal/lang/python"
	"github.com/reverse-spec/reverse-spec/internal/lang/rust"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Notebook reads the code cells of a Jupyter notebook (nbformat 4) in the language of its
// kernel. Lines are those of the .ipynb file.
var Notebook = &core.Language{
	Name: "notebook", Extensions: []string{".ipynb"}, Parse: parseNotebook, TestPath: func(string) bool { return false },
}

// kernels maps the language names of kernels, in lower case, to languages.
var kernels = map[string]*core.Language{
	"go": golang.Go, "ipython": python.Python, "java": jvm.Java, "javascript": ecma.JavaScript, "python": python.Python, "rust": rust.Rust, "typescript": ecma.TypeScript,
}

// cell is one cell of a notebook.
type cell struct {
	code bool
	rows []cellRow
}

// cellRow is a line of a cell and its line number in the file.
type cellRow struct {
	text string
	line int
}

func parseNotebook(f *code.File, src []byte, parts core.Parts, m *syntax.Meter) error {
	nb := &notebookReader{dec: json.NewDecoder(bytes.NewReader(src)), src: src, line: 1}
	if err := nb.read(); err != nil {
		return message.Errorf("read notebook: %w", err)
	}
	var text strings.Builder
	var at []int // line of text -> line of the file, 0-based
	for _, c := range nb.cells {
		if !c.code {
			continue
		}
		for _, row := range withoutMagic(c.rows) {
			text.WriteString(row.text + "\n")
			at = append(at, row.line)
		}
	}
	l := kernels[strings.ToLower(nb.language)]
	if l == nil {
		return message.Errorf("%w: a notebook in %q", core.ErrUnknown, nb.language)
	}
	f.Language = l.Name
	if err := l.ReadMetered(f, []byte(text.String()), parts, m); err != nil {
		return err
	}
	relocate(f, at)
	return nil
}

// withoutMagic blanks the lines for the kernel: %magic, !command, ?help. A cell in another
// language (%%bash) is left empty.
func withoutMagic(rows []cellRow) []cellRow {
	if len(rows) > 0 && strings.HasPrefix(rows[0].text, "%%") {
		name, _, _ := strings.Cut(strings.TrimPrefix(rows[0].text, "%%"), " ")
		if !slices.Contains([]string{"time", "timeit", "capture", "prun", "snakeviz", "memit"}, strings.TrimSpace(name)) {
			return nil
		}
	}
	out := slices.Clone(rows)
	for i, row := range out {
		text := strings.TrimSpace(row.text)
		if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "!") || strings.HasPrefix(text, "?") || strings.HasSuffix(text, "?") && !strings.Contains(text, "#") {
			out[i].text = ""
		}
	}
	return out
}

// relocate maps lines of the code to lines of the file.
func relocate(f *code.File, at []int) {
	line := func(n int) int {
		if len(at) == 0 {
			return 1
		}
		return at[max(0, min(n-1, len(at)-1))]
	}
	relocateSymbols(f.Symbols, line)
	for i := range f.Imports {
		f.Imports[i].Line = line(f.Imports[i].Line)
	}
	for i := range f.Calls {
		f.Calls[i].Line = line(f.Calls[i].Line)
	}
	for i := range f.Tests {
		f.Tests[i].Line = line(f.Tests[i].Line)
	}
	for i := range f.Notes {
		f.Notes[i].Line = line(f.Notes[i].Line)
	}
	for i := range f.Entries {
		f.Entries[i].Line = line(f.Entries[i].Line)
	}
	for i := range f.ParseErrors {
		f.ParseErrors[i].Line = line(f.ParseErrors[i].Line)
	}
}

func relocateSymbols(list []code.Symbol, line func(int) int) {
	for i := range list {
		s := &list[i]
		s.StartLine, s.EndLine, s.NameLine = line(s.StartLine), line(s.EndLine), line(s.NameLine)
		relocateSymbols(list[i].Members, line)
	}
}

// notebookReader reads a notebook's JSON and tracks line numbers.
type notebookReader struct {
	dec      *json.Decoder
	src      []byte
	cells    []cell
	language string
	offset   int // lines are counted up to here
	line     int // line of offset
}

// here returns the line of the last token.
func (nb *notebookReader) here() int {
	end := int(nb.dec.InputOffset())
	nb.line += bytes.Count(nb.src[nb.offset:end], []byte("\n"))
	nb.offset = end
	return nb.line
}

var errNoNotebook = message.Errorf("no notebook: the JSON is not an object with cells")

func (nb *notebookReader) read() error {
	err := nb.object(func(key string) error {
		switch key {
		case "cells":
			return nb.array(nb.cell)
		case "metadata":
			return nb.metadata()
		}
		return nb.skip()
	})
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// metadata reads the language: language_info.name, else kernelspec.language.
func (nb *notebookReader) metadata() error {
	var x struct {
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
		Info struct {
			Name string `json:"name"`
		} `json:"language_info"`
	}
	if err := nb.dec.Decode(&x); err != nil {
		return err
	}
	nb.language = x.Info.Name
	if nb.language == "" {
		nb.language = x.Kernel.Language
	}
	return nil
}

func (nb *notebookReader) cell() error {
	var c cell
	err := nb.object(func(key string) error {
		switch key {
		case "cell_type":
			token, err := nb.dec.Token()
			c.code = token == "code"
			return err
		case "source":
			return nb.source(&c)
		}
		return nb.skip()
	})
	nb.cells = append(nb.cells, c)
	return err
}

// source reads a cell's text: a list of lines, or one string.
func (nb *notebookReader) source(c *cell) error {
	add := func(token json.Token) {
		if text, ok := token.(string); ok {
			line := nb.here()
			for row := range strings.Lines(text) {
				c.rows = append(c.rows, cellRow{strings.TrimRight(row, "\r\n"), line})
			}
		}
	}
	token, err := nb.dec.Token()
	if err != nil || token != json.Delim('[') {
		add(token)
		return err
	}
	for nb.dec.More() {
		if token, err = nb.dec.Token(); err != nil {
			return err
		}
		add(token)
	}
	_, err = nb.dec.Token()
	return err
}

// object reads an object and calls value for each key.
func (nb *notebookReader) object(value func(key string) error) error {
	token, err := nb.dec.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		return errNoNotebook
	}
	for nb.dec.More() {
		key, err := nb.dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := value(name); err != nil {
			return err
		}
	}
	_, err = nb.dec.Token()
	return err
}

// array reads an array of objects.
func (nb *notebookReader) array(element func() error) error {
	token, err := nb.dec.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return errNoNotebook
	}
	for nb.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err = nb.dec.Token()
	return err
}

func (nb *notebookReader) skip() error {
	var x json.RawMessage
	return nb.dec.Decode(&x)
}
