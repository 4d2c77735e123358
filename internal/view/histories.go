package view

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// historySuffix is added to the path of a spec for that of its history.
const historySuffix = ".history.json"

// Limits of kept histories, in bytes.
const (
	mostHistory   = 256 << 10 // of one
	mostHistories = 32 << 20  // of all of a project
)

// historyFormat is raised when the same versions of a spec give another history than before.
const historyFormat = 1

// keptHistory is the file with the history of a spec.
type keptHistory struct {
	Of   string // a hash of the spec and the commits that it is of
	Page *historyPage
}

// Histories adds the histories of specs to their texts, as files that a site of specs alone shows, see [Options]. Where git knows no
// commit of a spec, there is none. Known are the texts and histories that were made before; what is still as it was is taken from there.
func Histories(ctx context.Context, p *project.Project, texts, known map[string][]byte) error {
	if len(texts) == 0 {
		return nil
	}
	past, err := p.Past(ctx)
	if err != nil {
		return nil // git tells nothing
	}
	defer past.Close() //nolint:errcheck // it was only read
	if err := past.Learn(ctx, spec.Suffix); err != nil {
		return ctx.Err() // git takes too long
	}
	s := New(p, message.English)
	size := 0
	made := map[string][]byte{}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		data, err := s.keepHistory(ctx, past, path, texts[path], known)
		if err != nil {
			return err
		}
		if size += len(data); data != nil && size <= mostHistories {
			made[path+historySuffix] = data
		}
	}
	maps.Copy(texts, made)
	return nil
}

// keepHistory returns the file with the history of a spec; nil if there is none.
func (s *Site) keepHistory(ctx context.Context, past *project.Past, path string, text []byte, known map[string][]byte) ([]byte, error) {
	list, complete, err := past.Of(ctx, path, mostVersions)
	if err != nil || len(list) == 0 {
		return nil, ctx.Err()
	}
	sum := sha256.New()
	fmt.Fprintln(sum, historyFormat, complete, len(text))
	sum.Write(text)
	for _, by := range list {
		fmt.Fprintln(sum, by.Commit)
	}
	kept := keptHistory{Of: hex.EncodeToString(sum.Sum(nil))}
	before := readKept(known[path+historySuffix])
	if before != nil && (before.Of == kept.Of || !complete && before.Page.Versions > len(list) && string(known[path]) == string(text)) {
		return known[path+historySuffix], nil // made of the same, or of more than a shallow clone has
	}
	d, err := s.library.document(ctx, path)
	if err != nil {
		return nil, ctx.Err() // its page says what is wrong
	}
	if kept.Page, err = s.readHistory(ctx, d, past, list, complete); err != nil || !kept.Page.None.Empty() {
		return nil, err
	}
	return kept.encode()
}

// encode returns the file of a history. Of one that is too large, the code and then the oldest events are left out.
func (k *keptHistory) encode() ([]byte, error) {
	data, err := json.Marshal(k)
	if len(data) <= mostHistory || err != nil {
		return data, err
	}
	k.Page.each(func(h *history) {
		for i := range h.Events {
			h.Events[i].Code = nil
		}
	})
	for most := mostVersions; ; most /= 2 {
		data, err = json.Marshal(k)
		if len(data) <= mostHistory || err != nil {
			return data, err
		}
		if most == 0 {
			return nil, nil
		}
		k.Page.Complete = false
		k.Page.each(func(h *history) { h.Events = h.Events[:min(most, len(h.Events))] })
	}
}

// each calls do for all requirements.
func (p *historyPage) each(do func(h *history)) {
	for i := range p.Items {
		do(&p.Items[i])
	}
	for i := range p.Gone {
		do(&p.Gone[i])
	}
}

// readKept reads the file of a history; nil if it is none.
func readKept(data []byte) *keptHistory {
	var k keptHistory
	if json.Unmarshal(data, &k) != nil || k.Page == nil {
		return nil
	}
	return &k
}

// keptHistory returns the history of a spec from its file.
func (s *Site) keptHistory(path string) (*historyPage, error) {
	if data, err := s.project.ReadUpTo(path+historySuffix, mostHistory); err == nil {
		if k := readKept(data); k != nil {
			return k.Page, nil
		}
	}
	return nil, &notFoundError{message.New("The history of %s was not pushed.", path)}
}

// hasHistory reports whether there is a page with the history of a spec.
func (s *Site) hasHistory(path string) bool {
	return !s.options.Specs || !s.project.ModTime(path+historySuffix).IsZero()
}
