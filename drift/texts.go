package drift

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/equivalent"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// sameMeaning reports whether both texts of a function are known and mean the same, and notes it.
func (d *differ) sameMeaning(p pair) bool {
	if d.oldText == nil || d.nowText == nil || p.old == nil || p.now == nil {
		return false
	}
	before, after := d.oldText(p.old.File), d.nowText(p.now.File)
	if before == nil || after == nil {
		return false
	}
	lines := func(first, last int) equivalent.Lines { return equivalent.Lines{First: first, Last: last} }
	if !equivalent.Functions(p.now.File, before, lines(p.old.StartLine, p.old.EndLine), after, lines(p.now.StartLine, p.now.EndLine)) {
		return false
	}
	d.same[p.name] = true
	return true
}

// linesOf returns some lines of a text, 1-based and inclusive.
func linesOf(text []byte, first, last int) string {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if first < 1 || first > len(lines) || last < first {
		return ""
	}
	return string(bytes.Join(lines[first-1:min(last, len(lines))], nil))
}

// lineOf returns a line of a text without the space around it.
func lineOf(text []byte, line int) string { return strings.TrimSpace(linesOf(text, line, line)) }

// commits reads files as they were in commits that were opened when they were needed.
type commits struct {
	project *project.Project
	opened  []*project.Project
	wanted  func() []string // the revisions, the most likely first
	tried   bool
}

func (c *commits) close() error {
	var errs []error
	for _, p := range c.opened {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// read returns a file whose hash is known; nil if no commit has it.
func (c *commits) read(ctx context.Context, file, hash string) []byte {
	if !c.tried {
		c.tried = true
		for _, rev := range c.wanted() {
			if p, err := c.project.At(ctx, rev); rev != "" && err == nil {
				c.opened = append(c.opened, p)
			}
		}
	}
	for _, p := range c.opened {
		text, err := p.ReadFile(file)
		if err != nil {
			continue
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) == hash {
			return text
		}
	}
	return nil
}

// direct writes results that are a variable alone, in the lines of a text, as what the variable is: x where x = f() as f().
func direct(text string) string {
	if !strings.Contains(text, evidence.ResultWhere) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		value, is, _ := strings.Cut(line, evidence.ResultWhere)
		at := strings.LastIndex(value, "→ ")
		if at >= 0 {
			at += len("→ ")
		} else {
			at = 0
		}
		if is, ok := strings.CutPrefix(is, value[at:]+" = "); ok && !strings.Contains(is, "; ") {
			lines[i] = value[:at] + is
		}
	}
	return strings.Join(lines, "\n")
}
