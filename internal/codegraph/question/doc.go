// Package question translates questions about code, in English and Chinese, into Cypher over the code graph,
// and answers them ([Ask]).
//
// Rules come first; questions that they reject go to a model, if there is one (model.go). A question is mapped word
// by word (words.go) to a few dozen concepts and the names in it. The query is then built from tables: relations
// between symbols (relations.go), rankings and whole questions (rules.go), and conditions (filters.go), which
// combine with all of them. Unknown words reject the question, or are reported if they only follow it: a name is
// never dropped or replaced.
package question
