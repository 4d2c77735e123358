package link

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// AnchorKind is the kind of what a requirement and code have in common.
type AnchorKind string

// The kinds of anchors.
const (
	Name     AnchorKind = "name"    // an identifier
	Path     AnchorKind = "path"    // a file of the project
	File     AnchorKind = "file"    // the name of another file
	Option   AnchorKind = "option"  // of a command line
	Text     AnchorKind = "text"    // that is shown or compared
	Command  AnchorKind = "command" // of a program
	Title    AnchorKind = "title"   // a test has the words of a scenario
	Matching AnchorKind = "words"
	Common   AnchorKind = "common" // the requirements of the spec have the file in common
	Called   AnchorKind = "called" // what is linked uses it
	Planned  AnchorKind = "plan"   // a plan of the requirement names it, or its file
	Chosen   AnchorKind = "model"  // a model chose it
)

// Anchor is something exact in a requirement that code may have, too.
type Anchor struct {
	Kind  AnchorKind
	Value string
	In    string // the id of the scenario that has it; "" for the requirement itself
	// Quoted is set if the requirement sets it as code.
	Quoted bool
	Call   bool // the requirement writes it as a call
}

var (
	codeSpan    = lazyregexp.New("`([^`\n]+)`")
	fenced      = lazyregexp.New("(?s)```.*?```")
	quotedText  = lazyregexp.New(`"([^"\n]{3,200})"|“([^”\n]{3,200})”|(?:^|[\s(])'([^'\n]{3,200})'(?:[\s.,;:)]|$)`)
	optionText  = lazyregexp.New(`(?:^|[^\w-])(--[a-z][a-z0-9-]+)`)
	camel       = lazyregexp.New(`\b[a-z][a-z0-9]*(?:[A-Z][a-zA-Z0-9]*)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-zA-Z0-9]*)+\b|\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b`)
	callText    = lazyregexp.New("([\\pL_$][\\pL\\pN_$]*)\\([^()\\s`]*\\)")
	commandWord = lazyregexp.New(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)
	// bareName allows for type parameters: Result[T any], Map<K, V>.
	bareName = lazyregexp.New(`^(?:[\pL_$][\pL\pN_$]*(?:\.|::|->|#))*([\pL_$][\pL\pN_$]*)(?:\[[\pL][^\]]*\]|<[\pL][^>]*>)?(?:\(.*\))?$`)
	filePath = lazyregexp.New(`[\w.@{}<>*-]*(?:/[\w.@{}<>*-]+)+/?|\b[\w-]+\.[a-z]{2,5}\b|(?:^|\s)\.[a-z][\w-]+`)
	hole     = lazyregexp.New(`<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|\$\w+|%[a-z]|\.\.\.|…|\b[NXY]\b|\d+`)
)

// Anchors returns what is exact in a text: names, options, file names and texts.
func Anchors(text string) []Anchor {
	f := &anchors{}
	f.read("", text)
	return f.list
}

// Within reports whether code has an anchor: all fixed parts of a text.
func (a *Anchor) Within(code string) bool {
	switch a.Kind {
	case Name:
		return slices.Contains(identifier.FindAllString(code, -1), a.Value)
	case Text:
		parts := pieces(a.Value)
		flat := flatten(code)
		return len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return !hasToken(flat, p) })
	case Option, File:
		return hasToken(flatten(code), strings.ToLower(path.Base(strings.Trim(a.Value, "/"))))
	case Path, Command, Title, Matching, Common, Called, Planned, Chosen: // not in a text
	}
	return false
}

// Pieces returns the fixed parts of a text with places to be filled in, in small letters.
func Pieces(text string) []string { return pieces(text) }

// Flat returns code in small letters with single spaces, and texts that are joined as one.
func Flat(code string) string { return flatten(code) }

// Count returns how often flat code has a token, as a word of its own.
func Count(flat, token string) int {
	n := 0
	for {
		i := indexToken(flat, token)
		if i < 0 {
			return n
		}
		n++
		flat = flat[i+len(token):]
	}
}

// flatten returns code in lower case with single spaces, and texts that are joined as one.
func flatten(code string) string {
	return strings.ToLower(spaces.ReplaceAllString(joint.ReplaceAllString(code, ""), " "))
}

// WordsOf returns the stemmed words of a text, each once, without those that say nothing about code.
func WordsOf(text string) []string { return wordsOf(text) }

// anchorsOf returns the anchors of a requirement, each once for each scenario.
func anchorsOf(r *handwritten.Requirement) []Anchor {
	f := &anchors{}
	f.read("", r.Title+"\n"+r.Text)
	for i := range r.Scenarios {
		f.read(r.Scenarios[i].ID, r.Scenarios[i].Title+"\n"+r.Scenarios[i].Text)
	}
	return f.list
}

type anchors struct{ list []Anchor }

func (f *anchors) add(kind AnchorKind, value, in string, quoted bool) {
	f.put(Anchor{Kind: kind, Value: value, In: in, Quoted: quoted})
}

func (f *anchors) put(a Anchor) {
	a.Value = strings.TrimSpace(a.Value)
	if i := slices.IndexFunc(f.list, func(o Anchor) bool { return o.Kind == a.Kind && o.Value == a.Value && o.In == a.In }); i >= 0 {
		f.list[i].Quoted, f.list[i].Call = f.list[i].Quoted || a.Quoted, f.list[i].Call || a.Call
		return
	}
	if a.Value != "" {
		f.list = append(f.list, a)
	}
}

// read finds the anchors of a text.
func (f *anchors) read(in, text string) {
	for _, m := range optionText.FindAllStringSubmatch(text, -1) {
		f.add(Option, m[1], in, false)
	}
	for _, m := range codeSpan.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		f.code(m[1], in)
	}
	for _, m := range quotedText.FindAllStringSubmatch(text, -1) {
		f.phrase(m[1]+m[2]+m[3], in)
	}
	for _, name := range camel.FindAllString(text, -1) {
		f.add(Name, name, in, false)
	}
	for _, m := range callText.FindAllStringSubmatch(text, -1) {
		f.put(Anchor{Kind: Name, Value: m[1], In: in, Quoted: true, Call: true})
	}
	for _, p := range filePath.FindAllString(text, -1) {
		f.path(p, in)
	}
}

// code reads what is set as code.
func (f *anchors) code(text, in string) {
	switch m := bareName.FindStringSubmatch(text); {
	case m != nil:
		f.put(Anchor{Kind: Name, Value: m[1], In: in, Quoted: true, Call: strings.Contains(text, "(")})
		if parts := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' }); len(parts) > 1 && !strings.Contains(text, "(") {
			f.add(Name, parts[0], in, true)
		}
	default:
		f.phrase(text, in)
	}
}

// phrase adds a text if it is more than one word.
func (f *anchors) phrase(text, in string) {
	text = strings.Trim(strings.TrimSpace(text), "`*_.")
	if len(strings.Fields(text)) > 1 && len(text) >= 6 {
		f.add(Text, text, in, true)
	} else if bareName.MatchString(text) && len(text) > 2 {
		f.add(Name, text, in, true)
	}
}

// path adds a path, or the name of a file.
func (f *anchors) path(text, in string) {
	text = strings.TrimRight(strings.Trim(strings.TrimSpace(text), "`,:;()"), ".")
	if strings.ContainsAny(text, "<>{}*") || len(text) < 4 {
		return
	}
	if strings.Contains(strings.Trim(text, "/"), "/") || strings.Contains(text, ".") {
		f.add(File, text, in, true)
	}
}

// pieces returns the fixed parts of a text with places to be filled in, in lower case: of "Archive '<name>' not found." the
// two around the name. Parts of less than two words are left out, unless the text has no others.
func pieces(text string) []string {
	text = strings.ToLower(spaces.ReplaceAllString(text, " "))
	var long, short []string
	for _, part := range hole.Split(text, -1) {
		part = strings.Trim(part, " .,:;'\"`!?()")
		switch {
		case len(strings.Fields(part)) > 1 && len(part) >= 6:
			long = append(long, part)
		case len(part) >= 5:
			short = append(short, part)
		}
	}
	if len(long) > 0 {
		return long
	}
	return short
}
