// Package message holds what the program says to people, in every language that it
// speaks.
//
// A message is written in English where it is made, as a format with arguments; the
// English format is its key in the catalogue of the other languages (zh_*.go, a file
// for each part of the program). It stays a value until it reaches a person: an error
// made by [Errorf] wraps and compares as one made by fmt.Errorf, its Error method
// gives the English text that logs have, and the edges of the program (the command
// line, the MCP server, the pages of view) render it in the language of the run by
// [Render]. Functions that make text for a result take the language from their
// context ([Sprintf]).
//
// Nothing that a program reads depends on the language: ids, hashes, names of JSON
// fields, exit statuses. To add a message, write it; the test of this package says
// which translations are missing. To add a language, add a constant, a row to
// [Langs], and the files of its catalogue.
//
// Under it is golang.org/x/text: its catalogue of formats and its reading of locales.
// Numbers are printed as fmt does, without the separators of a locale, because most
// of them are lines of files.
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

// Lang is a language that messages are in.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Langs are all languages, English first.
func Langs() []Lang { return []Lang{English, Chinese} }

// Text is a message that is not yet in a language. The zero value is empty.
type Text struct {
	format string // as in fmt; the key in the catalogue
	one    string // English for a count of one; "" for format
	args   []any
}

// New makes a message of a format in English, as fmt.Sprintf takes it. Arguments
// that are messages or errors are rendered in the language of the whole.
func New(format string, args ...any) Text {
	if false {
		_ = fmt.Sprintf(format, args...) // lets go vet check the calls
	}
	return Text{format: format, args: args}
}

// Count makes a message of a number of things: Count(2, "%d file", "%d files"). Both
// formats take the number and nothing else; other is the key in the catalogue.
func Count(n int, one, other string) Text {
	t := Text{format: other, args: []any{n}}
	if n == 1 {
		t.one = one
	}
	return t
}

// String is the message in English.
func (t Text) String() string { return t.In(English) }

// Empty reports whether there is no message.
func (t Text) Empty() bool { return t.format == "" }

// In is the message in a language; in English where its translation is missing.
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

// sprintf formats with arguments rendered in a language. A format without arguments
// is text: a percent sign in it is one.
func sprintf(f func(string, ...any) string, format string, args []any, lang Lang) string {
	rendered := make([]any, len(args))
	for i, a := range args {
		rendered[i] = renderArgument(lang, a)
	}
	return f(format, rendered...)
}

// renderArgument makes an argument what a format can take.
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

// plain is a value that is printed as fmt does, without the separators that a locale
// puts between the digits of a number.
type plain struct{ value any }

// Format implements fmt.Formatter.
func (p plain) Format(s fmt.State, verb rune) {
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), p.value)
}

// catalogue is made when the first message in a language other than English is asked
// for: it takes a millisecond.
var catalogue = sync.OnceValue(func() catalog.Catalog {
	b := catalog.NewBuilder(catalog.Fallback(language.English))
	for _, e := range Entries() {
		if strings.Contains(e.Zh, "${") {
			continue // a text and no format, for Translate: the library would look for a variable
		}
		if err := b.SetString(language.Chinese, strings.ReplaceAll(e.Key, "%w", "%v"), e.Zh); err != nil {
			panic(fmt.Sprintf("message %q: %v", e.Key, err)) // a test renders all of them
		}
	}
	return b
})

// printer formats in a language.
func printer(lang Lang) func(string, ...any) string {
	p := message.NewPrinter(language.Make(string(lang)), message.Catalog(catalogue()))
	return func(format string, args ...any) string { return p.Sprintf(format, args...) }
}

// Key marks a text as a key of the catalogue where it is not the argument of a function of
// this package: in a table whose texts are rendered later.
func Key(text string) string { return text }

// Localizer is what has a text in each language.
type Localizer interface{ In(lang Lang) string }

// Render is the text of a message, an error or anything else in a language. Of an
// error that wraps a message, what was wrapped around it stays as it is.
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

// With is a context whose messages are in the language that was chosen.
func With(ctx context.Context, c Choice) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// From is the language of a context; English where none was chosen.
func From(ctx context.Context) Lang {
	c, _ := ctx.Value(contextKey{}).(Choice)
	return cmp.Or(c.Lang, English)
}

// Explicit is the language that somebody asked for, see [Choice]; "" where nobody did.
func Explicit(ctx context.Context) Lang {
	c, _ := ctx.Value(contextKey{}).(Choice)
	return c.Explicit
}

// Sprintf is a message in the language of a context.
func Sprintf(ctx context.Context, format string, args ...any) string {
	if false {
		_ = fmt.Sprintf(format, args...) // lets go vet check the calls
	}
	return New(format, args...).In(From(ctx))
}

// Translate is the text that stands for an English one in a language, not formatted:
// for templates and tables whose place holders are not those of fmt.
func Translate(lang Lang, text string) string {
	if lang == English || lang == "" {
		return text
	}
	return translations()[text].or(text)
}

// translations are the Chinese texts by their keys.
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
