package prose

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// The heads of loops, as the languages write them. A head that none matches is quoted.
var (
	// each is a loop over values: "for const x of xs", "for k, v in d.items()", "for _, c := range xs", "foreach $xs as $x",
	// "for String s : all".
	eachOf    = lazyregexp.New(`^(?:for|foreach) (?:(?:const|let|var|val|auto&{0,2}|final) )?(\(?[\w$\[\](), ]+?\)?) (?:of|in) (.+)$`)
	eachRange = lazyregexp.New(`^for (?:([\w, ]+?) :?= )?range (.+)$`)
	eachAs    = lazyregexp.New(`^foreach (.+) as (&?\$\w+(?: => &?\$\w+)?)$`)
	eachTyped = lazyregexp.New(`^for (?:final )?[\w.<>\[\], ?&*]+[ &*](\w+) ?: (.+)$`)
	// counting is a loop from 0 on: "for let i = 0, len = xs.length; i < len; i++".
	counting = lazyregexp.New(`^for (?:[\w:]+ )?(\$?\w+) :?= 0(?:, (\$?\w+) = ([^;,]+))?; (\$?\w+) (?:<|!=) ([^;]+); (?:(\$?\w+)(?:\+\+| \+= 1)|\+\+(\$?\w+))$`)
)

// endless are the heads of loops that only a statement in them ends.
var endless = []string{"for ;;", "while true", "while True", "while (true)"}

// loop says in which loop a statement is.
func (a *atom) loop(head string) string {
	if slices.Contains(endless, head) {
		return wording.In(a.Lang, "in a loop without end", "在无限循环中")
	}
	if m := counting.FindStringSubmatch(head); m != nil && m[4] == m[1] && m[6]+m[7] == m[1] {
		end := m[5]
		if end == m[2] && m[2] != "" {
			end = m[3]
		}
		return a.say("in the loop over %s from 0 below %s", "在 %s 从 0 起小于 %s 的循环中", m[1], end)
	}
	values, name := goesOver(head)
	switch {
	case values == "" || strings.Contains(values, ";"):
		return a.say("in the loop %s", "在循环 %s 中", head)
	case name == "" || name == "_":
		return a.say("in the loop over %s", "在遍历 %s 的循环中", values)
	}
	return a.say("in the loop over %[2]s as %[1]s", "在遍历 %[2]s 的循环中（每项为 %[1]s）", name, values)
}

// goesOver returns what a loop goes over, and the variables that hold each; values is "" for other loops.
func goesOver(head string) (values, name string) {
	if m := eachRange.FindStringSubmatch(head); m != nil {
		return m[2], strings.TrimPrefix(m[1], "_, ")
	}
	if m := eachOf.FindStringSubmatch(head); m != nil {
		return m[2], m[1]
	}
	if m := eachAs.FindStringSubmatch(head); m != nil {
		return m[1], m[2]
	}
	if m := eachTyped.FindStringSubmatch(head); m != nil {
		return m[2], m[1]
	}
	return "", ""
}
