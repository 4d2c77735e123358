package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Cover changes a script of [Script] so that the tool measures which lines of source files run, into a folder; after is a
// script that must run then, or "". ok is false for a tool whose coverage is not known.
func Cover(tool, dir, script, folder string, sources []string) (measured, after string, ok bool) {
	h := home{dir: dir}
	if dir == "" {
		h.dir = "."
	}
	switch tool {
	case "go test":
		var packages []string
		for _, f := range sources {
			packages = add(packages, "./"+path.Dir(h.rel(f)))
		}
		flags := "-coverprofile=" + word(folder+"/profile") + " -coverpkg=" + word(strings.Join(packages, ","))
		return strings.Replace(script, "go test ", "go test "+flags+" ", 1), "", true
	case "vitest":
		flags := "--coverage.enabled --coverage.reporter=json --coverage.thresholds.100=false --coverage.reportsDirectory=" + word(folder)
		return strings.Replace(script, "vitest run ", "vitest run "+flags+" ", 1), "", true
	case "jest":
		flags := "--coverage --coverageReporters=json --coverageDirectory=" + word(folder)
		return strings.Replace(script, " jest ", " jest "+flags+" ", 1), "", true
	case "pytest", "unittest":
		data := " --data-file=" + word(folder+"/data")
		measured := strings.Replace(script, "python3 -m "+tool, "python3 -m coverage run"+data+" -m "+tool, 1)
		return measured, h.enter() + "python3 -m coverage json -q" + data + " -o " + word(folder+"/coverage.json"), true
	}
	return "", "", false
}

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
