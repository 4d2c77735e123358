package source_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// TestTargetsAreLinkedAtOnce links targets in a language whose imports name no file at the same time.
func TestTargetsAreLinkedAtOnce(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("d%d/T%d.cs", i%8, i)] = fmt.Sprintf("namespace N%d; public class T%d { T%d next; }\n", i%8, i, (i+1)%200)
	}
	p := openProject(t, files)
	all := read(t, p, ".")
	linker := source.NewLinker(all.Files, codegraph.Resolve(all.Files, nil), nil)
	var targets []*source.Tree
	for i := range 8 {
		targets = append(targets, read(t, p, fmt.Sprintf("d%d", i)))
	}
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for _, target := range targets {
		wg.Go(func() {
			<-begin
			linker.Link(target)
		})
	}
	close(begin)
	wg.Wait()
	for _, target := range targets {
		if target.Links == nil || len(target.Links.Nodes(target.Files[0].Path)) == 0 {
			t.Errorf("%s is not linked", target.Target)
		}
	}
}
