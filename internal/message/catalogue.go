package message

import "slices"

// Entry holds the translations of a message.
type Entry struct {
	Key string // the English format or text
	Zh  string // the same verbs, in any order: %[2]s %[1]d
}

// Entries returns the whole catalogue, grouped by part of the program.
func Entries() []Entry {
	return slices.Concat(
		zhAsk(),
		zhCKB(),
		zhCheck(),
		zhClient(),
		zhCommand(),
		zhContract(),
		zhCypher(),
		zhDoctor(),
		zhDrift(), zhContractfile(),
		zhReview(),
		zhFederate(),
		zhFiles(),
		zhFormats(),
		zhAdopt(),
		zhGenerate(),
		zhHelp(),
		zhHelpTools(),
		zhHook(),
		zhIndex(),
		zhLLM(),
		zhLock(),
		zhMCP(),
		zhPlaces(),
		zhRAG(),
		zhShared(),
		zhServe(),
		zhSpec(),
		zhSystem(),
		zhTools(),
		zhView(),
	)
}
