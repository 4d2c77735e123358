package manifest

import (
	"path"
	"strings"
)

// sbt reads a build.sbt: name := "x", "group" %% "artifact" % "version" % Test.
func (r *reader) sbt(file string, data []byte) error {
	list := wordsOf(string(data), braceDialect)
	f := Facts{
		Path: file, Dir: path.Dir(file), Language: "scala", Title: assigned(list, "name"), release: assigned(list, "version"),
		description: assigned(list, "description"), Version: assigned(list, "scalaVersion"),
	}
	for i := range list {
		if i > 0 && list[i-1].literal && isPercent(list[i]) && (i < 2 || !isPercent(list[i-2])) {
			f.require(sbtModule(list, i))
		}
	}
	r.m.Sbt = append(r.m.Sbt, f)
	return nil
}

// sbtModule reads "group" %% "artifact" % "version" % Test, with its first operator at list[i]; the zero
// requirement for other tokens.
func sbtModule(list []word, i int) Requirement {
	group := list[i-1].text
	for i < len(list) && isPercent(list[i]) {
		i++
	}
	if i >= len(list) || !list[i].literal {
		return Requirement{}
	}
	q := Requirement{Name: group + ":" + list[i].text}
	if i+2 < len(list) && isPercent(list[i+1]) && list[i+2].literal {
		q.Version = list[i+2].text
	}
	for _, w := range lineAfter(list, i) {
		q.Dev = q.Dev || strings.EqualFold(w.text, "test")
	}
	return q
}

func isPercent(w word) bool { return w.text == "%" && !w.literal }
