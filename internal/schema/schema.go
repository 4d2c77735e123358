// Package schema tells what the data structures of a module look like as JSON:
// JSON Schema, draft 2020-12, worked out from declarations alone.
//
// A language is a rule in the table below, in a file of its own: which
// declarations are data, and what their serializer (encoding/json, JSON.stringify,
// pydantic and dataclasses, Jackson, serde, System.Text.Json) makes of them. Names,
// what may be left out and what may be null follow that serializer. A type that
// JSON Schema cannot say, or that is declared elsewhere, is the schema that takes
// everything, with a "$comment" that names the type: nothing is guessed.
package schema

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Dialect is the value of "$schema".
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// maxTypes bounds how many types a document defines.
const maxTypes = 60

// Document is a JSON Schema that defines the data structures of a module under
// "$defs", each with its place in a "$comment".
type Document struct {
	Names []string // the keys of "$defs", in order
	Left  int      // how many data structures were left out because there are too many
	Text  string   // the schema: JSON in lines
}

// rule is what is known of a language.
type rule struct {
	languages []string
	// data reports whether an exported declaration is a data structure by itself;
	// others are defined when one of those refers to them.
	data func(b *book, t *decl) bool
	// define writes the schema of a declaration; ok is false for one that has no
	// form in JSON that the code fixes.
	define func(s scope) (n object, ok bool)
	// typeOf writes the schema of a type's text.
	typeOf func(s scope, text string) object
}

func rules() []rule {
	return []rule{
		{[]string{"go"}, goData, goDefine, goType},
		{[]string{"typescript", "tsx"}, tsData, tsDefine, tsType},
		{[]string{"python"}, pythonData, pythonDefine, pythonType},
		{[]string{"java"}, javaData, javaDefine, javaType},
		{[]string{"rust"}, rustData, rustDefine, rustType},
		{[]string{"csharp"}, csharpData, csharpDefine, csharpType},
	}
}

// Of returns the schema of the data structures that a module exports and of what
// they refer to; nil when it exports none. The function tells the language of a
// file.
func Of(module *code.Skeleton, languageOf func(file string) string) *Document {
	b := newBook(module, languageOf)
	doc := &Document{}
	for _, t := range b.types {
		if !t.exported || t.rule == nil || !t.rule.data(b, t) {
			continue
		}
		if len(b.defs) >= maxTypes && !b.asked[t.key] {
			doc.Left++
			continue
		}
		b.ask(t, nil)
		b.work()
	}
	if len(b.defs) == 0 {
		return nil
	}
	var defs object
	for _, d := range b.defs {
		doc.Names = append(doc.Names, d.key)
		defs = append(defs, d)
	}
	doc.Text = lines(object{{"$schema", Dialect}, {"$defs", defs}})
	return doc
}

// ruleOf returns the rule of a language, or nil.
func ruleOf(language string) *rule {
	for _, r := range rules() {
		if slices.Contains(r.languages, language) {
			return &r
		}
	}
	return nil
}
