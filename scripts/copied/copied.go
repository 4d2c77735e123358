// Package copied knows the module whose C code packages treesitter and grammars have copies of: tree-sitter and its grammars. It is not linked, so that
// go.mod does not have it. module.txt names it.
package copied

import (
	"context"
	_ "embed" // for module.txt
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

//go:embed module.txt
var named string

// Module is a module of Go in the module cache.
type Module struct{ Path, Version, Dir string }

// Named returns the path and the version of the module.
func Named() (path, version string) {
	path, version, _ = strings.Cut(strings.TrimSpace(named), " ")
	return path, version
}

// Download fetches the module, unless the module cache has it.
func Download(ctx context.Context) (*Module, error) {
	path, version := Named()
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", path+"@"+version).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s@%s: %w", path, version, err)
	}
	var m Module
	return &m, json.Unmarshal(out, &m)
}
