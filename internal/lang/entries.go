package lang

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Entries notes where programs start: symbols that the language starts at, and a
// file that the system may start as a script.
func Entries(l *Language, f *code.File, src []byte) {
	if l.Entry != nil {
		entriesIn(l, f, f.Symbols, "")
	}
	if len(f.Entries) == 0 && bytes.HasPrefix(src, []byte("#!")) && !bytes.HasPrefix(src, []byte("#![")) {
		f.Entries = []code.Entry{{Line: 1}}
	}
}

func entriesIn(l *Language, f *code.File, list []code.Symbol, owner string) {
	for i := range list {
		s := &list[i]
		if l.Entry(f, owner, s) {
			f.Entries = append(f.Entries, code.Entry{Name: Join(owner, s.Name), Line: s.StartLine})
		}
		entriesIn(l, f, s.Members, Join(owner, s.Name))
	}
}

// goEntry tells the function main of a package main.
func goEntry(f *code.File, owner string, s *code.Symbol) bool {
	return f.Package == "main" && !f.Test && owner == "" && s.Name == "main" && s.Kind == code.Function
}

// javaEntry tells the methods that the launcher takes (JLS 12.1): public static
// void main(String[]), or in a file without a class around it any main.
func javaEntry(_ *code.File, owner string, s *code.Symbol) bool {
	if s.Name != "main" || s.Returns != "void" || len(s.Params) > 1 {
		return false
	}
	if owner == "" {
		return s.Kind == code.Function
	}
	return s.Static && s.Visibility == code.Public && len(s.Params) == 1 && strings.Contains(s.Params[0].Type, "String")
}

// rustEntry tells the function main of a file.
func rustEntry(_ *code.File, owner string, s *code.Symbol) bool {
	return owner == "" && s.Name == "main" && s.Kind == code.Function
}
