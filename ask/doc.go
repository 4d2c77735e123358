// Package ask turns plain questions about code, in English and Chinese, into Cypher
// over the code graph ([Translate]), and answers them ([Ask]).
//
// It is rules, not a model. A question is read word by word against a vocabulary
// (words.go) into a few dozen concepts and the names it holds. What is asked for is
// then put together from tables: relations between symbols (relations.go), rankings
// and whole questions (rules.go), and conditions (filters.go), which go with all of
// them. Words that are not understood are told, or refuse the question: a name is
// never left out or replaced.
package ask
