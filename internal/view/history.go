package view

import (
	"net/http"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// historyPage is the data of the page with what became of a spec's requirements.
type historyPage struct {
	Path, Title string
	None        message.Text // why there is no history; empty if there is one
	Versions    int
	Complete    bool
	Since       string // day of the oldest version
	Items       []history
	Gone        []history // requirements that the spec no longer has
}

// history is what became of one requirement, latest first.
type history struct {
	ID, Title, Address string
	Events             []event
}

// event is a version of the spec in which a requirement came, changed or went.
type event struct {
	By      project.Revised // zero for what is not committed
	What    string          // came, known, changed, gone, back
	Was, Is []string        // the lines of the statement that differ; all of one that came
	Code    []citedCode
}

// citedCode is a place that a requirement cites, as it was and is.
type citedCode struct {
	Place string
	Sides []sideRow
}

// Committed reports whether the version is in a commit.
func (e *event) Committed() bool { return e.By.Commit != "" }

// Short returns the beginning of the commit's id.
func (e *event) Short() string { return e.By.Commit[:min(10, len(e.By.Commit))] }

// Day returns the day of the commit.
func (e *event) Day() string { return e.By.When.Format("2006-01-02") }

// Words says what happened.
func (e *event) Words() message.Text {
	switch e.What {
	case "came":
		return message.New("came into the spec")
	case "known":
		return message.New("in the oldest version that is known")
	case "gone":
		return message.New("left the spec")
	case "back":
		return message.New("came back")
	}
	return message.New("changed")
}

// Class returns the style of the event.
func (e *event) Class() string {
	return map[string]string{"came": "good", "back": "good", "gone": "bad", "changed": "warn"}[e.What]
}

// history returns the page with the history of a spec's requirements.
func (s *Site) history(r *http.Request) (answer, error) {
	d, err := s.library.document(r.Context(), r.PathValue("path"))
	if err != nil {
		return answer{}, err
	}
	page := &historyPage{Path: d.path, Title: d.spec.Title}
	if page.Title == "" {
		page.Title = d.path
	}
	past := s.past
	if past == nil {
		if past, err = s.project.Past(r.Context()); err == nil {
			defer past.Close() //nolint:errcheck // it was only read
		}
	}
	if err != nil {
		page.none(d, message.New("Git tells nothing of this project: %v", err))
	} else if err := s.fillHistory(r.Context(), page, d, past); err != nil {
		return answer{}, err
	}
	title := message.New("History of %s", page.Title).In(s.lang)
	return answer{template: "history.html", title: title, data: page}, nil
}

// prose returns the lines of a statement. Rows of tables are written as text.
func prose(title, text string) []string {
	var out []string
	for line := range strings.Lines(title + "\n" + text) {
		line = strings.TrimSpace(line)
		if row, ok := strings.CutPrefix(line, "| "); ok {
			line = strings.ReplaceAll(strings.TrimSpace(strings.TrimSuffix(row, "|")), " | ", " · ")
		}
		if line != "" && !strings.HasPrefix(line, "|--") {
			out = append(out, line)
		}
	}
	return out
}
