package contractfile

import (
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// openAPIKey is the key by which a document of OpenAPI is known.
var openAPIKey = lazyregexp.New(`(?m)^\s{0,4}["']?(openapi|swagger)["']?\s*:\s*["']?\d|^\s*\{\s*"(openapi|swagger)"\s*:\s*"\d`)

func isOpenAPI(_ string, text []byte) bool { return openAPIKey.Match(text) }

// errRemote is returned for a reference to another machine.
var errRemote = errors.New("references to other machines are not followed")

// compareOpenAPI compares documents of OpenAPI by the checks of oasdiff. A document is compared with its own former version;
// one without counterpart is one change.
func compareOpenAPI(c *comparison) {
	for _, name := range c.changed {
		c.openAPI(name)
	}
}

func (c *comparison) openAPI(name string) {
	before, after := read(c.old, name), read(c.now, name)
	switch {
	case before == nil || !isOpenAPI(name, before):
		c.changes = append(c.changes, wholeDocument(name, Added, message.Text{}))
		return
	case after == nil || !isOpenAPI(name, after):
		c.changes = append(c.changes, wholeDocument(name, Removed, breaksClients))
		return
	}
	was, err := loadOpenAPI(c.old, name, before)
	if err != nil {
		c.fail(name, err)
		return
	}
	is, err := loadOpenAPI(c.now, name, after)
	if err != nil {
		c.fail(name, err)
		return
	}
	report, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), was, is)
	if err != nil {
		c.fail(name, err)
		return
	}
	config := checker.NewConfig(checker.GetAllChecks())
	for _, found := range checker.CheckBackwardCompatibilityUntilLevel(config, report, sources, checker.INFO) {
		c.changes = append(c.changes, openAPIChange(name, found))
	}
}

func wholeDocument(name string, effect Effect, breaks message.Text) Change {
	words := map[Effect]message.Text{Added: message.New("%s `%s` was added", "OpenAPI document", name), Removed: message.New("%s `%s` was removed", "OpenAPI document", name)}
	ch := Change{Rule: "openapi-document-" + map[Effect]string{Added: "added", Removed: "removed"}[effect], Effect: effect, Symbol: name, Words: words[effect], Breaks: breaks, File: name, Line: 1, Gone: effect == Removed}
	if effect == Removed {
		ch.Old = name
	} else {
		ch.New = name
	}
	return ch
}

// loadOpenAPI reads a document with the files that it refers to.
func loadOpenAPI(s Side, name string, text []byte) (*load.SpecInfo, error) {
	if _, err := yamlTree(text); err != nil { // the loader's errors quote the text
		return nil, err
	}
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed, loader.IncludeOrigin = true, true
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, at *url.URL) ([]byte, error) {
		if at.Host != "" || at.Scheme != "" {
			return nil, errRemote
		}
		file := path.Clean(strings.TrimPrefix(at.Path, "/"))
		if file == name {
			return text, nil
		}
		return s.Read(file)
	}
	if swagger2.Match(text) {
		return convert(name, text)
	}
	return load.NewSpecInfoFromData(loader, text, name)
}

var swagger2 = lazyregexp.New(`(?m)^\s*\{?\s*["']?swagger["']?\s*:\s*["']?2`)

// convert reads a document of Swagger 2.
func convert(name string, text []byte) (*load.SpecInfo, error) {
	var tree any
	if err := decode.YAML(text, &tree); err != nil {
		return nil, err
	}
	data, err := jsonOf(tree)
	if err != nil {
		return nil, err
	}
	var old openapi2.T
	if err := old.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	doc, err := openapi2conv.ToV3(&old)
	if err != nil {
		return nil, err
	}
	return &load.SpecInfo{Url: name, Spec: doc, Version: doc.Info.Version}, nil
}

// Whom a change of an HTTP API breaks.
var (
	breaksClients  = message.New("clients that call it fail")
	breaksRequests = message.New("clients that send what was accepted before are refused, or get something else")
	breaksReaders  = message.New("clients that read the response get what they do not expect")
)

// openAPIChange returns a finding of oasdiff. Errors break users; of warnings oasdiff says that they may.
func openAPIChange(name string, found checker.Change) Change {
	id := found.GetId()
	out := Change{
		Rule: "openapi-" + id, Effect: effectOf(id),
		Symbol: strings.TrimSpace(found.GetOperation() + " " + found.GetPath()), Risky: found.GetLevel() == checker.WARN, File: name, Line: 1,
	}
	if out.Symbol == "" {
		out.Symbol = name
	}
	out.Words = message.New("`%s`: %s", out.Symbol, found.GetUncolorizedText(checker.NewDefaultLocalizer()))
	if found.GetLevel() >= checker.ERR {
		out.Breaks = breaksWhom(id)
	}
	out.Gone = out.Effect == Removed
	at := found.GetRevisionSource()
	if at == nil || at.Line == 0 || out.Gone && found.GetBaseSource() != nil {
		if before := found.GetBaseSource(); before != nil {
			at, out.Gone = before, true
		}
	}
	if at != nil && at.Line > 0 {
		out.File, out.Line = path.Clean(strings.TrimPrefix(at.File, "/")), at.Line
		if at.File == "" {
			out.File = name
		}
	}
	out.Old, out.New = valuesOf(id, found)
	return out
}

func breaksWhom(id string) message.Text {
	switch {
	case strings.HasPrefix(id, "response"):
		return breaksReaders
	case strings.Contains(id, "request"):
		return breaksRequests
	}
	return breaksClients
}

func effectOf(id string) Effect {
	switch {
	case strings.Contains(id, "removed"), strings.Contains(id, "deleted"):
		return Removed
	case strings.Contains(id, "added"), strings.HasPrefix(id, "new-"):
		return Added
	}
	return Altered
}

// valuesOf returns the old and the new value of a finding: the last two arguments of a sentence that says from what to what
// something changed; else its subject.
func valuesOf(id string, found checker.Change) (was, is string) {
	var args []string
	for _, a := range found.GetArgs() {
		if s := argument(a); s != "" {
			args = append(args, s)
		}
	}
	text := found.GetUncolorizedText(checker.NewDefaultLocalizer())
	if m := fromTo.FindStringSubmatch(text); m != nil {
		return m[1], m[2]
	}
	subject := text
	if len(args) > 0 {
		subject = strings.Join(slices.Compact(args), ", ")
	}
	switch effectOf(id) {
	case Removed:
		return subject, ""
	case Added, Altered:
	}
	return "", subject
}

// fromTo are the values in a sentence of oasdiff.
var fromTo = lazyregexp.New("from (?:type/format )?`([^`]*)`.* to (?:type/format )?`([^`]*)`")

// argument shows an argument of a finding.
func argument(a any) string {
	if s, ok := a.(string); ok {
		return s
	}
	return ""
}
