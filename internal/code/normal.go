package code

// Normal returns the condition with negations of its atoms only.
func (c *Cond) Normal() Cond { return c.normal(false) }

func (c *Cond) normal(negative bool) Cond {
	switch c.Op {
	case CondNot:
		return c.Args[0].normal(!negative)
	case CondAnd, CondOr:
		out := Cond{Op: c.Op}
		if negative {
			out.Op = CondAnd + CondOr - c.Op
		}
		for i := range c.Args {
			out.Args = append(out.Args, c.Args[i].normal(negative))
		}
		return out
	default:
	}
	if !negative {
		return *c
	}
	return Cond{Op: CondNot, Args: []Cond{*c}}
}
