package runner

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// dotnetTest runs methods of a .NET project that is named after its folder, as is usual.
func dotnetTest(p *place) (*Tool, error) {
	dir := path.Dir(p.file.Path)
	for !p.has(path.Join(dir, path.Base(dir)+".csproj")) {
		if dir == "." {
			return nil, nil
		}
		dir = path.Dir(dir)
	}
	return &Tool{
		Name: "dotnet test", Needs: []string{"dotnet"}, Home: dir,
		filter: func(t code.Test) string {
			parts := strings.Split(t.Name, nesting)
			name := strings.Join(parts, ".")
			if len(parts) > 2 { // nested classes
				name = strings.Join(parts[:len(parts)-1], "+") + "." + parts[len(parts)-1]
			}
			if !plainName(strings.NewReplacer(".", "", "+", "").Replace(name)) {
				return ""
			}
			return "FullyQualifiedName~" + name
		},
		script: func(_, filters []string) string {
			return "dotnet test " + word(dir) + report("--logger \"trx;LogFileName=$"+ReportVariable+"\"") + " --filter '" + strings.Join(filters, "|") + "'"
		},
		suite: "dotnet test " + word(dir) + report("--logger \"trx;LogFileName=$"+ReportVariable+"\""),
	}, nil
}
