package project

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

var errChanged = message.Errorf("the file was changed by someone else in the meantime; nothing was written")

var errNoTarget = message.Errorf("the target code is empty")

// Replace replaces target by replacement in a text file, and returns the line of the match. Target must occur
// exactly once; all other bytes are unchanged. If all lines of the file end in CRLF, line ends in target and
// replacement are converted to CRLF. The error is a [*ReplaceError], an [*OutsideError], a [*MissingError], a
// [*BinaryError], a [*TooLargeError] above [MaxFileSize], a [*ProtectedError] for a protected file in a place that
// is not in may, or wraps [ErrReadOnly] at a revision. On error the file is unchanged.
func (p *Project) Replace(ctx context.Context, name, target, replacement string, may Places) (line int, err error) {
	if target == "" {
		return 0, errNoTarget
	}
	d, n, err := p.editable(ctx, name, may)
	if err != nil {
		return 0, err
	}
	line, err = p.edit(d, n, name, func(text string) (at, size int, put string, err error) {
		return locate(name, text, target, replacement)
	})
	return line, p.Nearer(ctx, err)
}

// edit replaces the range that find returns in the file at n, and returns its line. It excludes other writes of
// this process, and does not overwrite changes that other programs make in between.
func (p *Project) edit(d *disk, n node, name string, find func(text string) (at, size int, put string, err error)) (line int, err error) {
	p.edits.Lock()
	defer p.edits.Unlock()
	data, err := p.ReadFile(name)
	if err != nil {
		return 0, err
	}
	if IsBinary(data) {
		return 0, &BinaryError{Path: name}
	}
	text := string(data)
	at, size, put, err := find(text)
	if err != nil {
		return 0, err
	}
	err = d.write(n.path, []byte(text[:at]+put+text[at+size:]), func() error {
		now, err := d.read(n, MaxFileSize)
		if err == nil && !bytes.Equal(now, data) {
			err = errChanged
		}
		return err
	})
	if err != nil {
		return 0, message.Errorf("write %s: %w", name, p.replacedError(name, d.rootError(err)))
	}
	return lineAt(text, at), nil
}

// locate returns the range of target in text, and the replacement with the file's line ends.
func locate(name, text, target, replacement string) (at, size int, put string, err error) {
	if strings.Contains(text, "\r\n") && strings.Count(text, "\r\n") == strings.Count(text, "\n") {
		target, replacement = crlf(target), crlf(replacement)
	}
	places, count := occurrences(text, target)
	e := &ReplaceError{Path: name, Count: count}
	switch {
	case count == 0:
		e.Lines = alike(text, target)
		return 0, 0, "", e
	case count > 1:
		for _, place := range places {
			e.Lines = append(e.Lines, lineAt(text, place))
		}
		return 0, 0, "", e
	case target == replacement:
		return 0, 0, "", e
	}
	return places[0], len(target), replacement, nil
}

func crlf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// ReplaceError says why a text was not replaced.
type ReplaceError struct {
	Path  string // as given
	Count int    // number of occurrences of the target, at most 1000; 1 if target and replacement are equal
	// Lines are the lines of the first occurrences; if there are none, those where target occurs with other white
	// space.
	Lines []int
}

// maxPlaces is the maximum number of lines listed.
const maxPlaces = 10

func (e *ReplaceError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *ReplaceError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *ReplaceError) text() message.Text {
	switch {
	case e.Count == 0 && len(e.Lines) > 0:
		return message.New("%s does not have the target code; the same with other white space begins in line %s", e.Path, numbers(e.Lines))
	case e.Count == 0:
		return message.New("%s does not have the target code", e.Path)
	case e.Count == 1:
		return message.New("the replacement is the target code itself: %s", e.Path)
	}
	more := ""
	if e.Count > len(e.Lines) {
		more = ", …"
	}
	return message.New("%s has the target code %d times, in lines %s%s; give more of the text around the one that is meant",
		e.Path, e.Count, numbers(e.Lines), more)
}

func numbers(lines []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(lines), "[]"), " ", ", ")
}

// occurrences returns the positions of the first few occurrences of target, and their total number. Overlapping
// ones count, because they are ambiguous, too.
func occurrences(text, target string) (places []int, count int) {
	const enough = 1000
	for from := 0; count < enough; {
		at := strings.Index(text[from:], target)
		if at < 0 {
			break
		}
		if count++; count <= maxPlaces {
			places = append(places, from+at)
		}
		from += at + 1
	}
	return places, count
}

// alike returns the first few lines where target occurs with other surrounding white space.
func alike(text, target string) (found []int) {
	lines, wanted := trimmed(text), trimmed(strings.TrimSpace(target))
	for i := 0; i+len(wanted) <= len(lines) && len(found) < maxPlaces; i++ {
		same := 0
		for same < len(wanted) && lines[i+same] == wanted[same] {
			same++
		}
		if same == len(wanted) && wanted[0] != "" {
			found = append(found, i+1)
		}
	}
	return found
}

func trimmed(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return lines
}

// lineAt returns the 1-based line of a byte offset.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
