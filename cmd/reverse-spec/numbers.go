package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// checksItself are the commands whose errors and exit codes are those of the contract.
var checksItself = []string{"graph-rag", "call-chain"}

// checkNumbers refuses the values of flags that are numbers of a right form and no count, share or time: a negative count is valid
// where it is the default, which says what it means.
func checkNumbers(cmd *cobra.Command, _ []string) error {
	if slices.Contains(checksItself, cmd.Name()) {
		return nil
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		var want message.Text
		switch f.Value.Type() {
		case "int":
			if strings.HasPrefix(value, "-") && value != f.DefValue {
				want = message.New("must be an integer, 0 or more")
			}
		case "float32", "float64": // all are shares
			if n, bad := strconv.ParseFloat(value, 64); bad != nil || !(n >= 0 && n <= 1) {
				want = message.New("must be a number from 0 to 1")
			}
		case "duration":
			if strings.HasPrefix(value, "-") {
				want = message.New("must not be negative")
			}
		}
		if err == nil && !want.Empty() {
			err = usageError{message.Errorf("invalid %s: %v", "--"+f.Name, want)}
		}
	})
	return err
}
