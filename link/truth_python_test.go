package link_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/graph"
	"github.com/reverse-spec/reverse-spec/link"
)

// findMakers remembers whose constructors methods are: pyright says that calling a class
// reaches the class, and that super().__init__() reaches the method. Both count as
// the class.
func (p *repository) findMakers(whole *link.Project, files []*code.File) {
	for _, f := range files {
		list := whole.Symbols(f.Path)
		for i := range list {
			owner := &list[list[i].Parent]
			if n := list[i].Name; f.Language == "python" && (n == "__init__" || n == "__new__") && owner.Label != graph.LabelFunction {
				p.makers[place{f.Path, list[i].Line}] = place{f.Path, owner.Line}
			}
		}
	}
}

// made is the class where a place is its constructor.
func (p *repository) made(at place) place {
	if class, ok := p.makers[at]; ok {
		return class
	}
	return at
}

// pythonTruth counts constructors as their classes and of the signatures of an
// overloaded function the last, which has the body.
func (p *repository) pythonTruth(truth map[pair]said) map[pair]said {
	type group struct {
		from       place
		file, name string
	}
	last := map[group]int{}
	for k, s := range truth {
		g := group{k.from, k.to.file, s.to}
		last[g] = max(last[g], k.to.line)
	}
	out := map[pair]said{}
	for k, s := range truth {
		if strings.HasSuffix(k.to.file, ".py") {
			if s.rule == "overload" && last[group{k.from, k.to.file, s.to}] != k.to.line {
				continue
			}
			k.to = p.made(k.to)
		}
		if k.from != k.to {
			out[k] = s
		}
	}
	return out
}
