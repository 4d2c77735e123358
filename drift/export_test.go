package drift

// Rules returns the rule table.
func Rules() []Rule { return append([]Rule(nil), rules...) }
