package manifest

import (
	"path"
	"strings"
)

// swiftPackage is a Package.swift.
type swiftPackage struct {
	Facts
	Targets map[string]string // module -> folder
}

func (r *reader) swiftPackage(file string, data []byte) error {
	list := wordsOf(string(data), braceDialect)
	p := swiftPackage{Facts: Facts{Path: file, Dir: path.Dir(file)}, Targets: map[string]string{}}
	first, _, _ := strings.Cut(string(data), "\n")
	if _, version, ok := strings.Cut(first, "swift-tools-version"); ok {
		p.Version = strings.Trim(version, ": \r")
	}
	for i, w := range list {
		if w.literal || i+1 >= len(list) || list[i+1].text != "(" {
			continue
		}
		args := arguments(list, i)
		switch w.text {
		case "Package":
			p.Title = labelled(args, "name")
		case "package":
			p.dependency(args)
		case "target", "executableTarget", "testTarget", "macro", "plugin", "systemLibrary":
			p.target(w.text, args)
		}
	}
	r.m.Swift = append(r.m.Swift, p)
	return nil
}

// dependency reads .package(url: "https://host/owner/name.git", from: "1.0").
func (p *swiftPackage) dependency(args []word) {
	url := labelled(args, "url")
	if url == "" {
		return // a folder of the project
	}
	q := Requirement{Name: strings.TrimSuffix(path.Base(url), ".git")}
	for _, label := range []string{"from", "exact", "branch", "revision", "upToNextMajor", "upToNextMinor"} {
		if v := labelled(args, label); v != "" && q.Version == "" {
			q.Version = v
		}
	}
	if q.Version == "" {
		if all := literals(args); len(all) > 1 { // .exact("1.0"), "1.0"..<"2.0"
			q.Version = strings.Join(all[1:], " ")
		}
	}
	p.require(q)
}

func (p *swiftPackage) target(kind string, args []word) {
	name := labelled(args, "name")
	if name == "" {
		return
	}
	dir := labelled(args, "path")
	switch {
	case dir != "":
	case kind == "testTarget":
		dir = "Tests/" + name
	case kind == "plugin":
		dir = "Plugins/" + name
	default:
		dir = "Sources/" + name
	}
	if at := path.Join(p.Dir, dir); !Outside(at) {
		p.Targets[name] = at
	}
}
