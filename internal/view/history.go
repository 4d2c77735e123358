package view

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// historyPage is the data of the page with what became of a spec's requirements. All but the first line is kept in files, see
// [Histories].
type historyPage struct {
	Path, Title string       `json:"-"`
	None        message.Text `json:"-"` // why there is no history; empty if there is one
	Versions    int
	Complete    bool      `json:",omitzero"`
	Since       string    // day of the oldest version
	Items       []history `json:",omitempty"`
	Gone        []history `json:",omitempty"` // requirements that the spec no longer has
}

// history is what became of one requirement, latest first.
type history struct {
	ID, Title string
	Address   string  `json:"-"` // on the pages of the spec; "" for none
	Events    []event `json:",omitempty"`
}

// event is a version of the spec in which a requirement came, changed or went.
type event struct {
	By   project.Revised // zero for what is not committed
	What string          // came, known, changed, gone, back
	Was  []string        `json:",omitempty"` // the lines of the statement that differ
	Is   []string        `json:",omitempty"` // the same; all lines of one that came
	Code []citedCode     `json:",omitempty"`
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
	page, err := s.historyOf(r.Context(), d)
	if err != nil {
		return answer{}, err
	}
	page.Path, page.Title = d.path, cmp.Or(d.spec.Title, d.path)
	for i := range page.Items {
		page.Items[i].Address = d.addressOf(page.Items[i].ID)
	}
	title := message.New("History of %s", page.Title).In(s.lang)
	return answer{template: "history.html", title: title, data: page}, nil
}

// historyOf returns the history of a spec: from the file of it where there are specs alone, else from git.
func (s *Site) historyOf(ctx context.Context, d *document) (*historyPage, error) {
	if s.options.Specs {
		return s.keptHistory(d.path)
	}
	past := s.past
	if past == nil {
		var err error
		if past, err = s.project.Past(ctx); err != nil {
			return untold(d, message.New("Git tells nothing of this project: %v", err)), nil
		}
		defer past.Close() //nolint:errcheck // it was only read
	}
	list, complete, err := past.Of(ctx, d.path, mostVersions)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil || len(list) == 0 {
		return untold(d, message.New("Git has no commit of this spec.")), nil
	}
	return s.readHistory(ctx, d, past, list, complete)
}

// untold says why there is no history. The requirements are on the page all the same: links lead to them.
func untold(d *document, why message.Text) *historyPage {
	p := &historyPage{None: why}
	for _, q := range d.spec.Requirements {
		p.Items = append(p.Items, history{ID: q.ID, Title: unmarked(q.Title)})
	}
	return p
}

// unmarked returns a title without the marks of code.
func unmarked(title string) string { return strings.ReplaceAll(title, "`", "") }

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
