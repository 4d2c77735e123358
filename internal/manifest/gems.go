package manifest

import (
	"path"
	"slices"
	"strings"
)

// gemfile reads the dependencies of a Ruby program: gem "name", "version", in groups.
func (r *reader) gemfile(file string, data []byte) error {
	f := Facts{Path: file, Dir: path.Dir(file)}
	list := wordsOf(string(data), rubyDialect)
	var blocks []bool // open do ... end blocks; true for a group of development gems
	for i, w := range list {
		if w.literal {
			continue
		}
		starts := i == 0 || list[i-1].line != w.line
		switch w.text {
		case "do":
			blocks = append(blocks, devGroup(lineOf(list, i)))
		case "if", "unless", "case", "begin":
			if starts {
				blocks = append(blocks, false)
			}
		case "end":
			blocks = blocks[:max(0, len(blocks)-1)]
		case "ruby":
			if all := literals(arguments(list, i)); starts && len(all) > 0 {
				f.Version = all[0]
			}
		case "gem":
			if starts {
				f.gem(arguments(list, i), slices.Contains(blocks, true))
			}
		}
	}
	r.m.Ruby = append(r.m.Ruby, f)
	return nil
}

// gem reads the arguments of a gem call.
func (f *Facts) gem(args []word, dev bool) {
	all := literals(beforeLabels(args))
	if len(all) > 0 {
		f.require(Requirement{Name: all[0], Version: strings.Join(all[1:], ", "), Dev: dev || devGroup(args)})
	}
}

// beforeLabels returns the tokens before the first "name:" or ":name =>".
func beforeLabels(list []word) []word {
	for i := 1; i < len(list); i++ {
		if w := list[i]; !w.literal && (w.text == ":" || w.text == "=") {
			return list[:i]
		}
	}
	return list
}

// lineOf returns the tokens before list[i] on its line.
func lineOf(list []word, i int) []word {
	from := i
	for from > 0 && list[from-1].line == list[i].line {
		from--
	}
	return list[from:i]
}

// devGroup reports whether tokens name a group of development gems.
func devGroup(list []word) bool {
	group, dev := false, false
	for _, w := range list {
		group = group || w.text == "group" || w.text == "groups"
		dev = dev || w.text == "development" || w.text == "test"
	}
	return group && dev
}

// gemspec reads the specification of a gem.
func (r *reader) gemspec(file string, data []byte) error {
	list := wordsOf(string(data), rubyDialect)
	f := Facts{
		Path: file, Dir: path.Dir(file), Title: assigned(list, "name"), release: assigned(list, "version"),
		description: assigned(list, "summary"), Version: assigned(list, "required_ruby_version"),
	}
	for i, w := range list {
		if w.literal {
			continue
		}
		switch w.text {
		case "add_dependency", "add_runtime_dependency":
			f.gem(arguments(list, i), false)
		case "add_development_dependency":
			f.gem(arguments(list, i), true)
		}
	}
	r.m.Ruby = append(r.m.Ruby, f)
	return nil
}
