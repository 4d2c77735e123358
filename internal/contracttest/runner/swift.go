package runner

import (
	"regexp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// swiftTest runs XCTest methods by class and name.
func swiftTest(p *place) (*Tool, error) {
	h, ok := p.above(nil, "Package.swift")
	if !ok {
		return nil, nil
	}
	return &Tool{
		Name: "swift test", Needs: []string{"swift"}, Home: h.dir,
		filter: func(t code.Test) string {
			name, _, _ := strings.Cut(strings.ReplaceAll(t.Name, nesting, "/"), "(")
			return regexp.QuoteMeta(name)
		},
		script: func(_, filters []string) string {
			return h.enter() + "swift test --filter '(" + strings.Join(filters, "|") + ")'"
		},
		suite: h.enter() + "swift test",
	}, nil
}
