// Package question turns plain questions about code, in English and Chinese, into Cypher
// over the code graph ([Translate]), and answers them ([Ask]).
//
// Rules come first, and a model, where there is one, for what they refuse (model.go). A
// question is read word by word against a vocabulary
// (words.go) into a few dozen concepts and the names it holds. What is asked for is
// then put together from tables: relations between symbols (relations.go), rankings
// and whole questions (rules.go), and conditions (filters.go), which go with all of
// them. Words that are not understood refuse the question, or are told where they
// follow it: a name is never left out or replaced.
package question
