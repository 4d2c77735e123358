// Package schema derives JSON Schemas (draft 2020-12) from the declarations of a module's data
// structures. [Of] returns the [Document].
//
// A language is a rule in the table below, in a file of its own. It says which declarations
// are data and how their serializer (encoding/json, JSON.stringify, pydantic and dataclasses,
// Jackson, serde, System.Text.Json) represents them: names, optional and nullable members. A
// type that JSON Schema cannot express, or that is declared elsewhere, becomes a schema that
// accepts everything, with a "$comment" that names the type; nothing is guessed.
package schema

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Dialect is the value of "$schema".
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// maxTypes limits the types of a document.
const maxTypes = 60

// Document is a JSON Schema with the data structures of a module under "$defs"; a "$comment"
// gives the place of each.
type Document struct {
	Names []string // the keys of "$defs", in order
	Left  int      // number of omitted data structures
	Text  string   // the schema as formatted JSON
}

// rule describes a language.
type rule struct {
	languages []string
	// data reports whether an exported declaration is a data structure by itself; others are
	// defined if one of those refers to them.
	data func(b *book, t *decl) bool
	// define returns the schema of a declaration; ok is false if the code does not determine
	// its JSON form.
	define func(s scope) (n object, ok bool)
	// typeOf returns the schema of a type.
	typeOf func(s scope, t code.Type) object
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

// Of returns the schema of the data structures that a module exports and of the types they
// refer to, or nil if there are none. languageOf returns the language of a file, typeOf the type
// that a text denotes.
func Of(module *code.Skeleton, languageOf func(file string) string, typeOf func(language, text string) code.Type) *Document {
	b := newBook(module, languageOf)
	b.typeOf = typeOf
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
