package doctor

import (
	"os/exec"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
)

func TestRepairOf(t *testing.T) {
	for want, of := range map[string]contracttest.ToolState{
		"pnpm install":                  {Tool: "vitest", Home: ".", Absent: "node_modules/.bin/vitest"},
		"cd api && composer install":    {Tool: "phpunit", Home: "api", Absent: "api/vendor/bin/phpunit"},
		"python3 -m pip install pytest": {Tool: "pytest", Home: ".", Lacks: "No module named 'pytest'", Probe: "python3 -c 'import pytest'"},
		"mvn -q validate":               {Tool: "mvn", Home: ".", Lacks: "offline", Probe: "mvn -q validate"},
		"":                              {Tool: "go test", Home: ".", Absent: "a-program-without-a-package"},
	} {
		if got := repairOf(of, "pnpm"); got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
	}
}

func TestAMissingProgramIsInstalledByTheManagerThatIsThere(t *testing.T) {
	for manager, want := range map[string]string{"apt-get": "sudo apt-get install php-cli", "brew": "brew install php", "": ""} {
		look := func(program string) (string, error) {
			if program == manager {
				return program, nil
			}
			return "", exec.ErrNotFound
		}
		if got := installingBy("php", look); got != want {
			t.Errorf("%s: %q, want %q", manager, got, want)
		}
	}
}
