package main

import (
	"os"
	"regexp"
	"testing"
)

var (
	row      = regexp.MustCompile(`(?m)^\| (\S+) \| (v\d\S*) \| ([^|]+) \|$`)
	required = regexp.MustCompile(`(?m)^(?:require )?\t?([\w.\-]+\.[\w.\-]+/\S+|[\w.\-]+\.[a-z]+/\S*) (v\S+)`)
)

// TestLicencesAgreeWithGoMod: the file has what is linked, in the versions of go.mod.
func TestLicencesAgreeWithGoMod(t *testing.T) {
	text, err := os.ReadFile("../../THIRD_PARTY_LICENSES.md")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, m := range required.FindAllStringSubmatch(string(mod), -1) {
		versions[m[1]] = m[2]
	}
	listed := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		listed[m[1]] = m[2]
		if versions[m[1]] != m[2] {
			t.Errorf("the file has %s %s, and go.mod %q: run make licences", m[1], m[2], versions[m[1]])
		}
	}
	modules, err := linked(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 20 {
		t.Errorf("only %d modules are linked", len(modules))
	}
	for name, m := range modules {
		if listed[name] != m.version {
			t.Errorf("%s %s is linked, and the file has %q: run make licences", name, m.version, listed[name])
		}
	}
}

// TestPartsHaveTheirLicences: the file names each grammar that is linked, what they are built on, and packages with a licence of their
// own.
func TestPartsHaveTheirLicences(t *testing.T) {
	text, err := os.ReadFile("../../THIRD_PARTY_LICENSES.md")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := linked(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	m := modules[parsers]
	names := grammarsOf(&m)
	if len(names) < 10 {
		t.Errorf("only %v are linked", names)
	}
	parts := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \| ([^|]*) \|$`).FindAllStringSubmatch(string(text), -1) {
		parts[row[1]] = row[2] != ""
	}
	for _, name := range append(names, "tree-sitter", "unicode") {
		if !parts[parsers+" ("+name+")"] {
			t.Errorf("the file lacks the licence of %s: run make licences", name)
		}
	}
	if !parts["github.com/klauspost/compress/zstd/internal/xxhash"] {
		t.Error("the file lacks the licence of a package inside a module: run make licences")
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted, free of\ncharge, to any person":                           "MIT",
		"Redistribution and use in source and binary forms":                                                     "BSD-2-Clause",
		"Redistribution and use in source and binary forms ... Neither the name of the copyright holder":        "BSD-3-Clause",
		"                                 Apache License\n                           Version 2.0, January 2004": "Apache-2.0",
		"Copyright 2020 somebody. All rights reserved.":                                                         "",
	} {
		if got := kindOf(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
