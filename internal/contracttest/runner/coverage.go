package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// Coverage says which lines ran.
type Coverage struct {
	files map[string]map[int]bool
}

// ReadCoverage reads what a tool measured into a folder by [Cover]; nil if there is nothing. Read reads a file of the
// folder.
func ReadCoverage(tool string, read Reader) *Coverage {
	c := &Coverage{files: map[string]map[int]bool{}}
	switch tool {
	case "go test":
		c.read(read, "profile", c.readGo)
	case "vitest", "jest":
		c.read(read, "coverage-final.json", c.readIstanbul)
	case "cargo test", "mvn", "gradle":
		c.read(read, "lcov", c.readLcov)
	case "rspec", "minitest":
		c.read(read, "coverage.json", c.readRuby)
	case "phpunit":
		c.read(read, "clover.xml", c.readClover)
	default:
		c.read(read, "coverage.json", c.readPython)
	}
	if len(c.files) == 0 {
		return nil
	}
	return c
}

func (c *Coverage) read(read Reader, name string, into func(text []byte)) {
	if text, err := read(name); err == nil {
		into(text)
	}
}

// Ran reports whether a line of a file ran; known is false if the tool says nothing about it.
func (c *Coverage) Ran(file string, line int) (ran, known bool) {
	best := ""
	for name := range c.files {
		if (isFile(name, file) || isFile(file, name)) && len(name) > len(best) {
			best = name
		}
	}
	ran, known = c.files[best][line]
	return ran, known
}

// add adds lines. A line with several statements runs if one of them does.
func (c *Coverage) add(file string, first, last int, ran bool) {
	const mostLines = 1 << 20
	if c.files[file] == nil {
		c.files[file] = map[int]bool{}
	}
	for line := first; line <= min(last, first+mostLines); line++ {
		c.files[file][line] = c.files[file][line] || ran
	}
}

// readGo reads a profile: "example.com/shop/shop.go:3.2,5.10 2 1". A block that ends in a brace's line is not of that line.
func (c *Coverage) readGo(text []byte) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		file, rest, _ := strings.Cut(lines.Text(), ".go:")
		fields := strings.FieldsFunc(rest, func(r rune) bool { return r == '.' || r == ',' || r == ' ' })
		const parts = 6
		if len(fields) != parts {
			continue
		}
		first, err1 := strconv.Atoi(fields[0])
		last, err2 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil {
			c.add(file+".go", first+1, last, fields[5] != "0") // the line of a condition belongs to the block before
			c.addFirst(file+".go", first, fields[5] != "0")
		}
	}
}

// addFirst adds the first line of a block, on which the block before it may end.
func (c *Coverage) addFirst(file string, line int, ran bool) { c.add(file, line, line, ran) }

// readIstanbul reads the JSON of istanbul.
func (c *Coverage) readIstanbul(text []byte) {
	var all map[string]struct {
		StatementMap map[string]struct{ Start, End struct{ Line int } }
		S            map[string]int
	}
	if json.Unmarshal(text, &all) != nil {
		return
	}
	for file, f := range all {
		for id, at := range f.StatementMap { // nested statements come with their own counts
			c.add(filepath.ToSlash(file), at.Start.Line, at.Start.Line, f.S[id] > 0)
		}
	}
}

// readPython reads the JSON of coverage.py.
func (c *Coverage) readPython(text []byte) {
	var all struct {
		Files map[string]struct {
			Executed []int `json:"executed_lines"`
			Missing  []int `json:"missing_lines"`
		}
	}
	if json.Unmarshal(text, &all) != nil {
		return
	}
	for file, f := range all.Files {
		for _, line := range slices.Concat(f.Executed, f.Missing) {
			c.add(filepath.ToSlash(file), line, line, slices.Contains(f.Executed, line))
		}
	}
}

// readLcov reads "SF:src/lib.rs" and "DA:3,1" for a line that ran once.
func (c *Coverage) readLcov(text []byte) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	file := ""
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "SF:"); ok {
			file = filepath.ToSlash(name)
		}
		data, ok := strings.CutPrefix(lines.Text(), "DA:")
		number, count, _ := strings.Cut(data, ",")
		if line, err := strconv.Atoi(number); ok && err == nil {
			c.add(file, line, line, count != "0")
		}
	}
}

// readRuby reads the JSON of SimpleCov: by command, the counts of the lines of each file; null for a line without code.
func (c *Coverage) readRuby(text []byte) {
	var all map[string]struct {
		Coverage map[string]struct{ Lines []*int }
	}
	if json.Unmarshal(text, &all) != nil {
		return
	}
	for _, command := range all {
		for file, f := range command.Coverage {
			for i, count := range f.Lines {
				if count != nil {
					c.add(file, i+1, i+1, *count > 0)
				}
			}
		}
	}
}

// readClover reads the XML of PHPUnit.
func (c *Coverage) readClover(text []byte) {
	type file struct {
		Name  string `xml:"name,attr"`
		Lines []struct {
			Number int    `xml:"num,attr"`
			Type   string `xml:"type,attr"`
			Count  int    `xml:"count,attr"`
		} `xml:"line"`
	}
	var all struct {
		Files    []file `xml:"project>file"`
		Packages []file `xml:"project>package>file"`
	}
	if decode.XML(text, &all) != nil {
		return
	}
	for _, f := range slices.Concat(all.Files, all.Packages) {
		for _, line := range f.Lines {
			if line.Type == "stmt" {
				c.add(filepath.ToSlash(f.Name), line.Number, line.Number, line.Count > 0)
			}
		}
	}
}
