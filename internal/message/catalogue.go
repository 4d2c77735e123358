package message

import "slices"

// Entry is a message in the languages other than English.
type Entry struct {
	Key string // the English format, or text
	Zh  string // the same verbs, in any order: %[2]s %[1]d
}

// Entries are all of the catalogue, by the part of the program that says them.
func Entries() []Entry {
	return slices.Concat(
		zhAsk(),
		zhCKB(),
		zhCheck(),
		zhClient(),
		zhCommand(),
		zhContract(),
		zhCypher(),
		zhDrift(),
		zhFederate(),
		zhFiles(),
		zhGenerate(),
		zhHelp(),
		zhHelpTools(),
		zhHook(),
		zhIndex(),
		zhLLM(),
		zhMCP(),
		zhPlaces(),
		zhRAG(),
		zhSpec(),
		zhSystem(),
		zhTools(),
		zhView(),
	)
}
