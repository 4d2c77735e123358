package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// TestALongFileIsSplitAtDeclarations splits a file of 12,000 lines.
func TestALongFileIsSplitAtDeclarations(t *testing.T) {
	f := &code.File{LOC: 12_000}
	for line := 1; line < 12_000; line += 700 {
		f.Symbols = append(f.Symbols, code.Symbol{StartLine: line, EndLine: line + 690})
	}
	if diff := cmp.Diff([]model.Chunk{{From: 1, To: 4900}, {From: 4901, To: 9800}, {From: 9801, To: 12_000}}, model.Chunks(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	class := &code.File{LOC: 9_000, Symbols: []code.Symbol{{StartLine: 10, EndLine: 9_000, Members: []code.Symbol{{StartLine: 4_000, EndLine: 8_999}}}}}
	if diff := cmp.Diff([]model.Chunk{{From: 1, To: 3_999}, {From: 4_000, To: 8_999}, {From: 9_000, To: 9_000}}, model.Chunks(class)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]model.Chunk{{From: 1, To: 5_000}}, model.Chunks(&code.File{LOC: 5_000})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
