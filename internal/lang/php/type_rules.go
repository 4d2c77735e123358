package php

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

var typeRules = &core.TypeRules{
	Before: "<?php function f(): ", After: " {}",
	Forms: map[string]code.TypeForm{
		"primitive_type": code.NamedType, "named_type": code.NamedType, "name": code.NamedType, "qualified_name": code.NamedType,
		"optional_type": code.NullableType, "union_type": code.UnionType, "disjunctive_normal_form_type": code.UnionType,
		"intersection_type": code.IntersectionType,
	},
}
