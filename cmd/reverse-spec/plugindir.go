package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/agents"
)

func (a *app) pluginDirCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "plugin-dir",
		Short: "Unpack the plugin for coding agents, and print its folder",
		Long: `Plugin-dir prints the folder of the plugin: manifests, commands, skills, hooks and a
launcher that starts this program. They are in the program; what is not there yet is
unpacked into the user's data folder (REVERSE_SPEC_HOME), under the version.`,
		Example: `  claude --plugin-dir "$(reverse-spec plugin-dir)"
  claude plugin marketplace add "$(reverse-spec plugin-dir)"`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := unpackPlugin()
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]string{"dir": dir})
			}
			_, err = fmt.Fprintln(a.out, dir)
			return err
		},
	}
}

func unpackPlugin() (string, error) {
	data, err := dataHome()
	if err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return agents.Unpack(reversespec.Plugin(), filepath.Join(data, "plugin"), reversespec.Version(), program)
}
