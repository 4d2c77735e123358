package codegraph

import (
	"path"
	"strings"
)

// swiftPackage is a Package.swift.
type swiftPackage struct {
	facts
	targets map[string]string // module -> folder
}

func (r *reader) swiftPackage(file string, data []byte) error {
	list := wordsOf(string(data), braceDialect)
	p := swiftPackage{facts: facts{path: file, dir: path.Dir(file)}, targets: map[string]string{}}
	first, _, _ := strings.Cut(string(data), "\n")
	if _, version, ok := strings.Cut(first, "swift-tools-version"); ok {
		p.version = strings.Trim(version, ": \r")
	}
	for i, w := range list {
		if w.literal || i+1 >= len(list) || list[i+1].text != "(" {
			continue
		}
		args := arguments(list, i)
		switch w.text {
		case "Package":
			p.title = labelled(args, "name")
		case "package":
			p.dependency(args)
		case "target", "executableTarget", "testTarget", "macro", "plugin", "systemLibrary":
			p.target(w.text, args)
		}
	}
	r.m.swift = append(r.m.swift, p)
	return nil
}

// dependency reads .package(url: "https://host/owner/name.git", from: "1.0").
func (p *swiftPackage) dependency(args []word) {
	url := labelled(args, "url")
	if url == "" {
		return // a folder of the project
	}
	q := requirement{name: strings.TrimSuffix(path.Base(url), ".git")}
	for _, label := range []string{"from", "exact", "branch", "revision", "upToNextMajor", "upToNextMinor"} {
		if v := labelled(args, label); v != "" && q.version == "" {
			q.version = v
		}
	}
	if q.version == "" {
		if all := literals(args); len(all) > 1 { // .exact("1.0"), "1.0"..<"2.0"
			q.version = strings.Join(all[1:], " ")
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
	if at := path.Join(p.dir, dir); !outside(at) {
		p.targets[name] = at
	}
}
