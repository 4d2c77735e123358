package cypher

import "context"

// Translator turns a question into a query: a model, where one is configured.
type Translator interface {
	// Translate returns one query, in Cypher, for a question about a graph with a
	// schema, which is told in words.
	Translate(ctx context.Context, question, schema string) (query string, err error)
}
