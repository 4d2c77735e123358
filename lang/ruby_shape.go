package lang

func newRubyShape() *shape { return &shape{} }
