//go:build manuals

package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// The program that is built with the tag manuals has one command more, which writes what packages contain besides it:
//
//	go run -tags manuals ./cmd/reverse-spec manuals <folder>
//
// It is not in the program that users get: the library for it would be.
func init() {
	more = append(more, func() *cobra.Command {
		return &cobra.Command{
			Use:   "manuals <folder>",
			Short: "Write the manual pages and the completions for shells",
			Args:  exactArgs(1),
			RunE:  func(cmd *cobra.Command, args []string) error { return writeManuals(cmd.Root(), args[0]) },
		}
	})
}

// writeManuals writes man1/*.1 and a file for each shell.
func writeManuals(root *cobra.Command, dir string) error {
	pages := filepath.Join(dir, "man1")
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return err
	}
	root.DisableAutoGenTag = true // the same pages from the same source
	for _, c := range root.Commands() {
		if c.Name() == "manuals" {
			root.RemoveCommand(c)
		}
	}
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "reverse-spec", Manual: "reverse-spec"}, pages); err != nil {
		return err
	}
	for name, write := range map[string]func(string) error{
		"reverse-spec.bash": func(file string) error { return root.GenBashCompletionFileV2(file, true) },
		"_reverse-spec":     root.GenZshCompletionFile,
		"reverse-spec.ps1":  root.GenPowerShellCompletionFileWithDesc,
		"reverse-spec.fish": func(file string) error { return root.GenFishCompletionFile(file, true) },
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
