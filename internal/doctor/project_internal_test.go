package doctor

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
)

func TestRepairOf(t *testing.T) {
	for want, of := range map[string]contracttest.ToolState{
		"":                              {Tool: "go test", Home: ".", Lacks: "go is not installed"},
		"npm install":                   {Tool: "vitest", Home: ".", Lacks: "node_modules/.bin/vitest is not installed"},
		"cd api && composer install":    {Tool: "phpunit", Home: "api", Lacks: "api/vendor/bin/phpunit is not installed"},
		"python3 -m pip install pytest": {Tool: "pytest", Home: ".", Lacks: "No module named 'pytest'", Probe: "python3 -c 'import pytest'"},
		"mvn -q validate":               {Tool: "mvn", Home: ".", Lacks: "offline", Probe: "mvn -q validate"},
	} {
		if got := repairOf(of); got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
	}
}
