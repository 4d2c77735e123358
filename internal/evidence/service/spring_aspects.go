package service

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// springAspect is advice that runs around the methods with an annotation.
type springAspect struct {
	mark string // last name of the annotation
	step Step
}

// pointcutMark finds the annotation in a pointcut: "execution(@app.Secured * *(..))", "@annotation(app.Secured)".
var pointcutMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:execution\(\s*@|@annotation\(\s*|@within\(\s*)([\w.]+)`)
})

// readAspects returns the advice of a project that runs before or around methods with an annotation.
func readAspects(p *Project) []springAspect {
	var out []springAspect
	for _, f := range p.Files {
		if !slices.Contains(jvmLanguages, f.Language) {
			continue
		}
		for _, n := range p.Links.Linked(f.Path) {
			if !n.IsType() {
				continue
			}
			if _, ok := marking(p.marksOn(n), "Aspect"); ok {
				out = append(out, p.aspectsOf(n)...)
			}
		}
	}
	return out
}

// aspectsOf returns the advice of a class.
func (p *Project) aspectsOf(class *resolve.Node) []springAspect {
	c := p.ofClass(class)
	if c == nil {
		return nil
	}
	var out []springAspect
	for _, m := range p.methodsOf(c) {
		advice, ok := marking(p.marksOn(m), "Around", "Before")
		if !ok {
			continue
		}
		if name := p.advised(c, m, pointcut(p, advice)); name != "" {
			out = append(out, springAspect{name, Step{Kind: Dependency, Name: c.Path, Node: m, At: Place{m.File, m.Line}}})
		}
	}
	return out
}

// pointcut returns the text of a pointcut; "" if it is not constant.
func pointcut(p *Project, mark Call) string {
	v := mark.Value.Named("value", "pointcut")
	if v == nil {
		v = mark.Value.Arg(0)
	}
	text, _ := p.springText(mark.File.Path, v)
	return text
}

// advised returns the annotation of the methods that a pointcut selects, which may name a method with the pointcut or a
// parameter of the advice; "" for other pointcuts.
func (p *Project) advised(c *Class, advice *resolve.Node, text string) string {
	if name, ok := strings.CutSuffix(strings.TrimSpace(text), "()"); ok {
		for _, m := range p.methodsOf(c) {
			if mark, ok := marking(p.marksOn(m), "Pointcut"); ok && m.Name == Last(name) {
				text = pointcut(p, mark)
			}
		}
	}
	found := pointcutMark().FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	if s := p.symbolOf(advice); s != nil {
		for _, param := range s.Params {
			if param.Name == found[1] {
				return Last(param.Type)
			}
		}
	}
	return Last(found[1])
}
