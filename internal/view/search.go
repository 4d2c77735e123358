package view

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// searchEntry is a spec, or a requirement, scenario or contract test of one, in the index of the search.
type searchEntry struct {
	ID      string `json:"id,omitempty"` // "" for a spec
	Title   string `json:"title"`
	Spec    string `json:"spec"` // title of its spec
	Text    string `json:"text,omitempty"`
	Address string `json:"address"`
}

// searchText limits the text of an entry, in characters: it is shown with it, and searched.
const searchText = 240

// search returns the page with which all specs are searched. The browser searches, in the index that it loads, so that static pages
// do the same.
func (s *Site) search(r *http.Request) (answer, error) {
	return answer{template: "search.html", title: message.Sprintf(r.Context(), "Search"), data: r.FormValue("q")}, nil
}

// sendIndex sends the index of the search, as a script that sets it.
func (s *Site) sendIndex(w http.ResponseWriter, r *http.Request) {
	text, err := s.searchIndex(r.Context(), func(address string) string { return s.options.Base + address })
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text) // the browser may have disconnected
}

// searchIndex returns the script with the entries of all specs. Their addresses are given to a function.
func (s *Site) searchIndex(ctx context.Context, address func(string) string) ([]byte, error) {
	paths, err := spec.Paths(ctx, s.project)
	if err != nil {
		return nil, message.Errorf("list the specs: %w", err)
	}
	entries := []searchEntry{}
	for _, path := range paths {
		d, err := s.library.document(ctx, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // the index of specs says why it is unreadable
		}
		entries = append(entries, d.entries(address)...)
	}
	list, err := json.Marshal(entries)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("window.specIndex = "), list...), ";\n"...), nil
}

// entries returns a spec and its items for the search.
func (d *document) entries(address func(string) string) []searchEntry {
	title := d.spec.Title
	if title == "" {
		title = d.path
	}
	out := []searchEntry{{Title: title, Spec: title, Text: short(d.spec.Front.SourceTarget), Address: address(at("spec", d.path))}}
	texts := map[string]string{}
	for _, r := range d.spec.Requirements {
		texts[r.ID] = r.Text
	}
	for _, h := range d.headings {
		if h.Kind == "" {
			continue
		}
		to := at("spec", d.path)
		if len(d.parts) > 1 {
			to = d.address(h, -1)
			to, _, _ = strings.Cut(to, "#")
		}
		out = append(out, searchEntry{ID: h.ID, Title: h.Title, Spec: title, Text: short(texts[h.ID]), Address: address(to + "#" + h.ID)})
	}
	return out
}

// short returns the beginning of a text on one line, without its tables and marks.
func short(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			words = append(words, strings.Fields(strings.ReplaceAll(line, "`", ""))...)
		}
	}
	runes := []rune(strings.Join(words, " "))
	if len(runes) > searchText {
		return string(runes[:searchText]) + "…"
	}
	return string(runes)
}
