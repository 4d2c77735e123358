package crossrepo

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// trace is what finding the uses of contracts needs of a project's source files besides their facts, by path. A shared store has it
// instead of the files.
type trace map[string]tracedFile

// tracedFile is that of one file.
type tracedFile struct {
	Hash     string          `json:"h"` // of the file, the first digits
	Names    []int64         `json:"n,omitempty"`
	Literals []tracedLiteral `json:"l,omitempty"`
}

// tracedLiteral is a text that may use a contract.
type tracedLiteral struct {
	Line int    `json:"n"`
	Text string `json:"t"`
}

const (
	traceVersion = 1 // of the form, and of the rules by which texts and names are found
	mostTrace    = 256 << 20
	hashDigits   = 16
)

// storedTrace is the encoded form.
type storedTrace struct {
	Version int   `json:"version"`
	Files   trace `json:"files"`
}

// errTrace says that what was stored cannot be read.
var errTrace = message.Errorf("what is stored of a project's uses is damaged: push it again")

func (t trace) encode() ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	err := errors.Join(json.NewEncoder(w).Encode(storedTrace{traceVersion, t}), w.Close())
	return b.Bytes(), err
}

// decodeTrace returns what encode wrote; nothing for nil. The error wraps [errForeign] if another version wrote it.
func decodeTrace(data []byte) (trace, error) {
	if len(data) == 0 {
		return trace{}, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	var out storedTrace
	if err == nil {
		err = json.NewDecoder(io.LimitReader(r, mostTrace)).Decode(&out)
	}
	if err != nil {
		return nil, message.Errorf("%w: %w", errTrace, err)
	}
	if out.Version != traceVersion {
		return trace{}, errForeign
	}
	return out.Files, nil
}

// bring brings the trace of a pushed project to its files, reading those that changed.
func (r *repository) bring(ctx context.Context, p *project.Project, before trace) error {
	r.trace = make(trace, len(r.files))
	var changed []store.File
	for _, f := range r.files {
		if old, known := before[f.Path]; known && strings.HasPrefix(f.Hash, old.Hash) {
			r.trace[f.Path] = old
		} else {
			changed = append(changed, f)
		}
	}
	for len(changed) > 0 {
		n := min(batch, len(changed))
		if err := r.traceFiles(ctx, p, changed[:n]); err != nil {
			return err
		}
		changed = changed[n:]
	}
	return nil
}

func (r *repository) traceFiles(ctx context.Context, p *project.Project, files []store.File) error {
	ids, of := make([]store.FileID, len(files)), map[store.FileID]store.File{}
	for i, f := range files {
		ids[i], of[f.ID] = f.ID, f
	}
	return r.stored.Facts(ctx, ids, func(id store.FileID, facts []byte) error {
		f := of[id]
		parsed, err := code.Decode(facts)
		if err != nil {
			return err
		}
		data, err := p.ReadFile(f.Path)
		if err != nil {
			return nil //nolint:nilerr // a file that is removed meanwhile uses nothing
		}
		v := &view{repo: r, path: f.Path, code: parsed, literals: telling(string(data), f.Language, parsed.Generated)}
		r.trace[f.Path] = tracedFile{f.Hash[:min(hashDigits, len(f.Hash))], v.names().sorted(), traced(v.literals)}
		return nil
	})
}

// names returns the names of contracts that a file may use.
func (v *view) names() hashes {
	out := hashes{}
	if v.code != nil && (v.code.Facts == nil || len(v.code.Facts.Scopes) == 0) {
		return out
	}
	for _, k := range kinds() {
		if k.wants != nil {
			k.wants(v, out.add)
		}
	}
	return out
}

func traced(list []literal) []tracedLiteral {
	out := make([]tracedLiteral, len(list))
	for i, l := range list {
		out[i] = tracedLiteral{l.line, l.text}
	}
	return out
}

// literalsOf returns the texts of a source file that may use contracts.
func (r *repository) literalsOf(file, language string, generated bool) []literal {
	if r.project == nil {
		var out []literal
		for _, l := range r.trace[file].Literals {
			out = append(out, literal{text: l.Text, line: l.Line})
		}
		return out
	}
	data, err := r.readFile(file)
	if err != nil {
		return nil // a file removed meanwhile has none
	}
	return telling(string(data), language, generated)
}

// telling returns the literals of source code that may use a contract, reduced to what tells which: of a path the path, without host,
// query and what is put in; operations; HTTP methods; of generated code the names of services.
func telling(src, language string, generated bool) []literal {
	reduce := reduced
	if generated {
		reduce = func(text string) string {
			if _, ok := serviceIn(text); ok {
				return text
			}
			return ""
		}
	}
	var out []literal
	for _, l := range literals(src, language) {
		if l.based && !generated && !strings.HasPrefix(l.text, "/") {
			l.text = "{}/" + l.text
		}
		if len(l.text) > mostLiteral && !isOperation(l.text) {
			continue
		}
		if text := reduce(l.text); text != "" {
			out = append(out, literal{text: text, line: l.line})
		}
	}
	return out
}

// mostLiteral is the length of the longest text that is a path.
const mostLiteral = 1000

func reduced(text string) string {
	switch {
	case isOperation(text):
		return text
	case httpMethods[strings.ToLower(text)] && text == strings.ToUpper(text):
		return text
	}
	p, ok := pathIn(text)
	if !ok {
		return ""
	}
	out := ""
	if p.hosted {
		out = "{}"
	}
	for _, part := range p.parts {
		if part == parameter {
			part = "{}"
		}
		out += "/" + part
	}
	if p.open {
		out += "/"
	}
	return out
}
