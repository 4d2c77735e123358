// Package message holds the texts that the program shows to people, in all its languages.
//
// A message is written in English where it is used, as a format with arguments; the English format is its key in
// the catalogue of the other languages (zh_*.go, a file for each part of the program). It stays a value until it is
// shown: an error made by [Errorf] wraps and compares like one made by fmt.Errorf, and its Error method returns the
// English text, for logs. The edges of the program (the command line, the MCP server, the pages of view) render it
// in the language of the run with [Render]. Functions that build text for a result take the language from their
// context ([Sprintf]).
//
// Nothing that other programs parse depends on the language: ids, hashes, names of JSON fields, exit statuses. To
// add a message, write it; the test of this package lists missing translations. To add a language, add a constant,
// an entry in [Langs], and the files of its catalogue.
//
// The package uses the message catalogue and the locale parser of golang.org/x/text. Numbers are printed as fmt
// does, without the separators of a locale, because most of them are line numbers.
package message

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

// Lang is a language of messages.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Langs returns all languages, English first.
func Langs() []Lang { return []Lang{English, Chinese} }

// Text is a message that is not rendered yet. The zero value is empty.
type Text struct {
	format string // as in fmt; the key in the catalogue
	one    string // English, for a count of one; "" for format
	args   []any
}

// New returns a message with an English format, as for fmt.Sprintf. Arguments that are messages or errors are
// rendered in the same language.
func New(format string, args ...any) Text {
	if false {
		_ = fmt.Sprintf(format, args...) // so that go vet checks the calls
	}
	return Text{format: format, args: args}
}

// Count returns a message about a number of things: Count(2, "%d file", "%d files"). Both formats take only the
// number; other is the key in the catalogue.
func Count(n int, one, other string) Text {
	t := Text{format: other, args: []any{n}}
	if n == 1 {
		t.one = one
	}
	return t
}

// String returns the message in English.
func (t Text) String() string { return t.In(English) }

// Empty reports whether t is the empty message.
func (t Text) Empty() bool { return t.format == "" }

// In returns the message in a language; in English if there is no translation.
func (t Text) In(lang Lang) string {
	format := strings.ReplaceAll(t.format, "%w", "%v")
	if lang == English || lang == "" {
		if t.one != "" {
			format = t.one
		}
		return sprintf(fmt.Sprintf, format, t.args, English)
	}
	return sprintf(printer(lang), format, t.args, lang)
}

// sprintf formats with arguments rendered in a language. A format without arguments is returned as is: a percent
// sign in it is literal.
func sprintf(f func(string, ...any) string, format string, args []any, lang Lang) string {
	rendered := make([]any, len(args))
	for i, a := range args {
		rendered[i] = renderArgument(lang, a)
	}
	return f(format, rendered...)
}

// renderArgument converts messages and errors among the arguments to text.
func renderArgument(lang Lang, arg any) any {
	switch a := arg.(type) {
	case Localizer, error:
		return Render(lang, a)
	case string, nil:
		return a
	}
	if lang == English {
		return arg
	}
	return plain{arg}
}

// plain is a value that is printed as fmt does, without the digit separators of a locale.
type plain struct{ value any }

// Format implements fmt.Formatter.
func (p plain) Format(s fmt.State, verb rune) {
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), p.value)
}

// catalogue is built on first use, for a language other than English: it takes a millisecond.
var catalogue = sync.OnceValue(func() catalog.Catalog {
	b := catalog.NewBuilder(catalog.Fallback(language.English))
	for _, e := range Entries() {
		if strings.Contains(e.Zh, "${") {
			continue // a text for Translate, not a format: the library would look for verbs
		}
		if err := b.SetString(language.Chinese, strings.ReplaceAll(e.Key, "%w", "%v"), e.Zh); err != nil {
			panic(fmt.Sprintf("message %q: %v", e.Key, err)) // a test renders all of them
		}
	}
	return b
})

// printer returns the Sprintf function of a language.
func printer(lang Lang) func(string, ...any) string {
	p := message.NewPrinter(language.Make(string(lang)), message.Catalog(catalogue()))
	return func(format string, args ...any) string { return p.Sprintf(format, args...) }
}

// Key marks a text as a key of the catalogue if it is not an argument of a function of this package: in a table
// whose texts are rendered later.
func Key(text string) string { return text }

// Localizer has a text in each language.
type Localizer interface{ In(lang Lang) string }

// Render returns a message, an error or any other value as text in a language. The text around a wrapped message is
// not translated.
func Render(lang Lang, v any) string {
	switch v := v.(type) {
	case Localizer:
		if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
			return ""
		}
		return v.In(lang)
	case error:
		if lang == English || lang == "" {
			return v.Error()
		}
		return renderError(lang, v)
	}
	return fmt.Sprint(v)
}

type contextKey struct{}

// With returns a context whose messages are in the chosen language.
func With(ctx context.Context, c Choice) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// From returns the language of a context; English if none is set.
func From(ctx context.Context) Lang {
	c, _ := ctx.Value(contextKey{}).(Choice)
	return cmp.Or(c.Lang, English)
}

// Explicit returns the explicitly chosen language of a context, see [Choice]; "" if there is none.
func Explicit(ctx context.Context) Lang {
	c, _ := ctx.Value(contextKey{}).(Choice)
	return c.Explicit
}

// Sprintf returns a message in the language of a context.
func Sprintf(ctx context.Context, format string, args ...any) string {
	if false {
		_ = fmt.Sprintf(format, args...) // so that go vet checks the calls
	}
	return New(format, args...).In(From(ctx))
}

// Translate returns the translation of an English text without formatting it: for templates and tables whose
// placeholders are not verbs of fmt.
func Translate(lang Lang, text string) string {
	if lang == English || lang == "" {
		return text
	}
	return translations()[text].or(text)
}

// translations maps English keys to their Chinese texts.
var translations = sync.OnceValue(func() map[string]translation {
	m := map[string]translation{}
	for _, e := range Entries() {
		m[e.Key] = translation(e.Zh)
	}
	return m
})

type translation string

func (t translation) or(text string) string {
	if t == "" {
		return text
	}
	return string(t)
}
