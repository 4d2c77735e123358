package graph

import (
	"path"
	"strings"
)

// sbt reads a build.sbt: name := "x", "group" %% "artifact" % "version" % Test.
func (r *reader) sbt(file string, data []byte) error {
	list := wordsOf(string(data), braceDialect)
	f := facts{
		path: file, dir: path.Dir(file), language: "scala", title: assigned(list, "name"), release: assigned(list, "version"),
		description: assigned(list, "description"), version: assigned(list, "scalaVersion"),
	}
	for i := range list {
		if i == 0 || !list[i-1].literal || !isPercent(list[i]) || i > 1 && isPercent(list[i-2]) {
			continue
		}
		group, k := list[i-1].text, i
		for k < len(list) && isPercent(list[k]) {
			k++
		}
		if k >= len(list) || !list[k].literal {
			continue
		}
		q := requirement{name: group + ":" + list[k].text}
		if k+2 < len(list) && isPercent(list[k+1]) && list[k+2].literal {
			q.version = list[k+2].text
		}
		for _, w := range lineAfter(list, k) {
			q.dev = q.dev || strings.EqualFold(w.text, "test")
		}
		f.require(q)
	}
	r.m.sbt = append(r.m.sbt, f)
	return nil
}

func isPercent(w word) bool { return w.text == "%" && !w.literal }
