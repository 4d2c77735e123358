package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "reverse-spec %s%s (%s %s/%s)\n",
				reversespec.Version(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// commit returns the commit that the program was built from; "" if unknown.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return " " + s.Value[:12]
		}
	}
	return ""
}
