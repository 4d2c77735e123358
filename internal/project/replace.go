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

// Replace puts replacement where target stands in a text file, and returns the
// line it begins in. Target must stand there exactly once; what is around it is
// not touched, not by a byte. In a file all of whose lines end in CRLF, the line
// ends of target and replacement are taken as CRLF. The errors are a
// [*ReplaceError], an [*OutsideError], a [*MissingError], a [*BinaryError], a
// [*TooLargeError] above [MaxFileSize], and [ErrReadOnly] (wrapped) at a
// revision; for a file that programs run, in none of the places given, it is a
// [*ProtectedError]. After an error the file is as it was.
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
	return line, p.nearer(ctx, err)
}

// edit replaces, in the file at n, the size bytes at a place by what is to be put
// there, and returns the line of the place. Others of this program write only
// before or after; what others wrote in between is not overwritten.
func (p *Project) edit(d *disk, n node, name string, find func(text string) (at, size int, put string, err error)) (line int, err error) {
	p.edits.Lock()
	defer p.edits.Unlock()
	data, err := p.ReadFile(name)
	if err != nil {
		return 0, err
	}
	if Binary(data) {
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
		return 0, message.Errorf("write %s: %w", name, p.refusal(name, d.inner(err)))
	}
	return lineAt(text, at), nil
}

// locate returns where in text the target stands, how long it is there, and the
// replacement as it is to be there.
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
	Count int    // how often the target stands in the file, at most 1000; 1 when it is the replacement itself
	// Lines is where the first of them begin; for a target that is not there,
	// where the same begins with other white space.
	Lines []int
}

// maxPlaces bounds how many occurrences are named.
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

// occurrences returns where target begins in text, the first few places, and how
// many there are. Those that overlap count, too: which of them is meant?
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

// alike returns the lines where the lines of target stand with other white space
// around them, the first few.
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

// lineAt returns the number of the line that a byte of text is in.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
