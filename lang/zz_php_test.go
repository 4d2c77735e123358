package lang

import (
	"fmt"
	"os"
	"testing"

	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("F"))
	m := modernPHP(b)
	fmt.Println(string(m.text))
	if len(m.hooks) > 0 {
		fmt.Println("HOOKS", string(m.hooksText()))
	}
	tr, _ := syntax.PHP.Parse(m.text)
	for n := range tr.Root().Within() {
		if n.Kind() == "ERROR" || n.Missing() {
			fmt.Println(n.Line(), n.Kind(), n.Text())
		}
	}
}
