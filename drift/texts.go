package drift

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/equivalent"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// sameMeaning reports whether both texts of a function are known and mean the same, and notes it.
func (d *differ) sameMeaning(p pair) bool {
	if d.oldText == nil || d.nowText == nil || p.old == nil || p.now == nil {
		return false
	}
	before, after := d.textOf(0, p.old.File, p.now.File), d.textOf(1, p.now.File, p.now.File)
	if before == nil || after == nil {
		return false
	}
	lines := func(s *code.Symbol) equivalent.Lines { return equivalent.Lines{First: s.StartLine, Last: s.EndLine} }
	if !equivalent.Functions(before, lines(p.old), after, lines(p.now)) {
		return false
	}
	d.same[p.name] = true
	return true
}

// textOf returns the text of a file before (0) or now (1), to be read in the language of a path; nil if it is not known.
func (d *differ) textOf(side int, file, as string) *equivalent.Text {
	key := id(strconv.Itoa(side), file, as)
	t, known := d.texts[key]
	if !known {
		if text := [2]func(string) []byte{d.oldText, d.nowText}[side](file); text != nil {
			t = equivalent.NewText(as, text)
		}
		d.texts[key] = t
	}
	return t
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
