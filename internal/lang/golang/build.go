package golang

import (
	"go/ast"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
)

// The reference build configuration determines which files of a package are its API. It is the
// same on every machine, so that specs written on different machines agree.
const (
	referenceOS   = "linux"
	referenceArch = "amd64"
)

// buildConstraint returns the reason why a file is excluded from the reference build; "" if it is
// not.
func buildConstraint(file string, f *ast.File) string {
	if f.Name.Name == "documentation" { // cmd/go skips it too
		return "documentation"
	}
	if name := fileConstraint(path.Base(file)); name != "" {
		return name
	}
	return clause(f).outside()
}

// buildLines holds the //go:build line of a file, or its // +build lines, which count only
// without the former.
type buildLines struct {
	line constraint.Expr
	plus []constraint.Expr
}

// clause returns the build lines above the package clause.
func clause(f *ast.File) buildLines {
	var out buildLines
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			x, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
			case constraint.IsGoBuild(c.Text):
				out.line = x
			default:
				out.plus = append(out.plus, x)
			}
		}
	}
	return out
}

// outside returns the constraint that the reference build does not meet, or "".
func (b buildLines) outside() string {
	all := b.plus
	if b.line != nil {
		all = []constraint.Expr{b.line}
	}
	for _, x := range all {
		if !x.Eval(inReference) {
			return x.String()
		}
	}
	return ""
}

func inReference(tag string) bool {
	return tag == referenceOS || tag == referenceArch || tag == "unix" || tag == "cgo" || tag == "gc" ||
		strings.HasPrefix(tag, "go1")
}

// fileConstraint returns the constraint of a file name ending in _GOOS, _GOARCH or
// _GOOS_GOARCH.
func fileConstraint(base string) string {
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")
	parts := strings.Split(base, "_")[1:]
	if n := len(parts); n > 0 {
		last := parts[n-1]
		if slices.Contains(arches, last) {
			if last != referenceArch {
				return last
			}
			if n == 1 {
				return ""
			}
			last = parts[n-2]
		}
		if slices.Contains(systems, last) && last != referenceOS {
			return last
		}
	}
	return ""
}

// systems and arches are the values known to cmd/go in go1.26 (go tool dist list), and
// those reserved for the past.
var (
	systems = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")
	arches  = strings.Fields("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)
