package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// commandGroup is a part of the list of commands, in the order in which a newcomer needs them.
type commandGroup struct {
	title    message.Text
	commands []string
}

func commandGroups() []commandGroup {
	return []commandGroup{
		{message.New("Specs:"), []string{"generate", "batch", "show", "view", "verify", "diff", "review", "adopt", "propose"}},
		{message.New("Questions:"), []string{"orient", "query", "graph-rag", "impact", "call-chain", "snippet", "verify-claim"}},
		{message.New("Set up:"), []string{"init", "doctor", "auth", "clean", "mcp", "mcp-server", "plugin-dir", "completion", "version", "help"}},
		{message.New("The code graph:"), []string{"index", "status", "graph", "federate", "projects", "delete-project", "wipe-database"}},
		{message.New("For a team:"), []string{"serve", "token"}},
		{message.New("Files, as agents use them:"), []string{"prepare", "list", "read-file", "write-file", "replace"}},
	}
}

// groupedCommands lists the commands of the program by their groups; those of no group come last.
func groupedCommands(root *cobra.Command, lang message.Lang) string {
	var b strings.Builder
	left := slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return !isListed(c) })
	part := func(title message.Text, list []*cobra.Command) {
		if len(list) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n\n%s", title.In(lang))
		for _, c := range list {
			fmt.Fprintf(&b, "\n  %-*s %s", c.NamePadding(), c.Name(), c.Short)
		}
	}
	for _, g := range commandGroups() {
		var list []*cobra.Command
		for _, name := range g.commands {
			if i := slices.IndexFunc(left, func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
				list = append(list, left[i])
				left = slices.Delete(left, i, i+1)
			}
		}
		part(g.title, list)
	}
	part(message.New("Other commands:"), left)
	return b.String()
}

// isListed reports whether help lists a command.
func isListed(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" }
