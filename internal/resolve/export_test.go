package resolve

import "slices"

// RuleNamed returns the rule with a name; none if there is none.
func RuleNamed(name string) Rule { return Rule(max(0, slices.Index(ruleNames[:], name))) }

// Steps returns the number of steps that a linker made.
func (l *Linker) Steps() int { return l.steps }
