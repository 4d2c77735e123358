package review

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Level is how much care a change needs.
type Level string

// Levels.
const (
	High   Level = "high"
	Medium Level = "medium"
	Low    Level = "low"
	None   Level = "none"
)

// Text returns the level for people.
func (l Level) Text() message.Text {
	switch l {
	case High:
		return message.New("high")
	case Medium:
		return message.New("medium")
	case Low:
		return message.New("low")
	case None:
	}
	return message.New("none")
}

// Risk is how much care a change needs, and why: what raises it to its level first.
type Risk struct {
	Level   Level    `json:"level"`
	Reasons []string `json:"reasons"`
}

// manyUsers is the number of users from which a changed function concerns much of a project.
const manyUsers = 20

// risk computes the risk from what was found: high for what breaks users, tests that fail, and refusals that are gone; medium
// for behaviour that is not as it was, changed code that no test reaches or that much code uses; low for other code.
func (r *reviewer) risk() Risk {
	out := r.out
	levels := []Level{None, Low, Medium, High}
	risk := Risk{Level: None, Reasons: []string{}}
	var told []Level
	add := func(level Level, t message.Text) {
		if slices.Index(levels, level) > slices.Index(levels, risk.Level) {
			risk.Level = level
		}
		at := slices.IndexFunc(told, func(l Level) bool { return slices.Index(levels, l) < slices.Index(levels, level) })
		if at < 0 {
			at = len(told)
		}
		told = slices.Insert(told, at, level)
		risk.Reasons = slices.Insert(risk.Reasons, at, t.In(out.Lang))
	}
	r.breakingRisk(add)
	r.behaviourRisk(add)
	for _, c := range out.Tests.Commands {
		if c.Outcome == "failed" {
			add(High, message.New("tests fail: %s", c.Reason))
		}
	}
	r.testRisk(add)
	if most := mostUsed(out.Functions); most != nil && most.Users >= manyUsers {
		add(Medium, message.New("`%s` is used in %d places", most.Name, most.Users))
	}
	if out.Files.Manifests > 0 {
		add(Low, message.New("dependencies or their versions changed"))
	}
	if len(r.outside) > 0 {
		add(Low, message.New("code outside of declarations changed, which is not compared: %s", strings.Join(r.outside[:min(len(r.outside), mostNamed)], ", ")))
	}
	if len(risk.Reasons) == 0 {
		r.quietRisk(add)
	}
	return risk
}

// testRisk adds the reasons that are about tests.
func (r *reviewer) testRisk(add func(Level, message.Text)) {
	out := r.out
	if untested, known := out.untested(); known && len(untested) > 0 {
		level := Medium
		if out.Files.Tests > 0 { // which may reach them in a way that the code does not show
			level = Low
		}
		add(level, message.New("no test is known to reach %v that changed: %s", message.Count(len(untested), "%d function", "%d functions"), names(untested, mostNamed)))
	} else if !known && out.Files.Code > 0 && out.Files.Tests == 0 {
		add(Low, message.New("no test changed with the code"))
	}
}

// quietRisk says what a change is of which nothing else is to be said.
func (r *reviewer) quietRisk(add func(Level, message.Text)) {
	out := r.out
	switch {
	case out.Files.Code > 0 && len(out.Functions)+len(out.Changed)+len(out.New) > 0:
		add(Low, r.covered())
	case out.Files.Code > 0:
		add(None, message.New("the code means what it did: formatting, comments or names of locals changed"))
	case out.Files.Tests > 0:
		add(None, message.New("only tests changed"))
	case len(out.Files.Names) > 0:
		add(None, message.New("no code changed"))
	default:
		add(None, message.New("nothing changed"))
	}
}

// mostNamed limits the names in a reason.
const mostNamed = 3

// breakingRisk adds the reasons that are about users.
func (r *reviewer) breakingRisk(add func(Level, message.Text)) {
	list := r.out.Breaking
	if len(list) == 0 {
		return
	}
	stale, inside, elsewhere := 0, true, map[string]bool{}
	for _, i := range list {
		stale += i.Stale
		inside = inside && (len(i.Users) > 0 || i.Moved)
		for _, u := range i.Users {
			if u.Repository != "" {
				elsewhere[u.Repository] = true
			}
		}
	}
	what := message.Count(len(list), "%d breaking change", "%d breaking changes")
	places := message.Count(stale, "%d place that uses what changed is not touched", "%d places that use what changed are not touched")
	switch {
	case stale > 0 && len(elsewhere) > 0:
		add(High, message.New("%v: %v, some in other repositories", what, places))
	case stale > 0:
		add(High, message.New("%v: %v", what, places))
	case inside:
		add(Medium, message.New("%v, and all uses in this repository are part of the change", what))
	default:
		add(High, message.New("%v for users outside this repository", what))
	}
}

// behaviourRisk adds the reasons that are about what the code does.
func (r *reviewer) behaviourRisk(add func(Level, message.Text)) {
	stated, refusals := 0, 0
	for _, i := range r.out.Untrue {
		stated += len(i.Statements)
		if i.Rule == "claim-removed" && strings.Contains(i.Location, ":") {
			refusals++
		}
	}
	if n := len(r.out.Untrue); n > 0 {
		what := message.Count(n, "%d behaviour is not as it was", "%d behaviours are not as they were")
		if stated > 0 {
			add(Medium, message.New("%v, and %v", what, message.Count(stated, "%d statement of specs says otherwise", "%d statements of specs say otherwise")))
		} else {
			add(Medium, what)
		}
	}
	if refusals > 0 {
		add(Medium, message.Count(refusals, "%d error, check or effect is gone", "%d errors, checks or effects are gone"))
	}
	if n := len(r.out.New); n > 0 {
		add(Low, message.Count(n, "%d new behaviour or declaration that no requirement states", "%d new behaviours or declarations that no requirement states"))
	}
}

// mostUsed returns the function with the most users; nil if none is known.
func mostUsed(list []Site) *Site {
	var most *Site
	for i := range list {
		if most == nil || list[i].Users > most.Users {
			most = &list[i]
		}
	}
	return most
}

// covered says how the functions that changed are tested.
func (r *reviewer) covered() message.Text {
	if _, known := r.out.untested(); known {
		return message.New("the implementation alone changed, and tests reach %v", message.Count(len(r.out.Functions), "the %d function that changed", "all %d functions that changed"))
	}
	return message.New("the implementation alone changed")
}
