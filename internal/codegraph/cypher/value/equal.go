package value

// Equal returns a = b: a boolean, or nil (null) if the result depends on a null in a or b. Values of different
// types differ, except for numbers; NaN differs from everything.
func Equal(a, b Value) Value {
	if a == nil || b == nil {
		return nil
	}
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case int64, float64:
		return compareNumbers(a, b) == Alike
	case List:
		b, ok := b.(List)
		return equalLists(a, b, ok)
	case Map:
		b, ok := b.(Map)
		return equalMaps(a, b, ok)
	}
	return TypeOf(a) == TypeOf(b) && Order(a, b) == 0
}

// Not negates a result of [Equal].
func Not(v Value) Value {
	if b, ok := v.(bool); ok {
		return !b
	}
	return nil
}

func equalLists(a, b List, isList bool) Value {
	if !isList || len(a) != len(b) {
		return false
	}
	var result Value = true
	for i := range a {
		switch Equal(a[i], b[i]) {
		case false:
			return false
		case nil:
			result = nil
		}
	}
	return result
}

func equalMaps(a, b Map, isMap bool) Value {
	if !isMap || len(a) != len(b) {
		return false
	}
	for key := range a {
		if _, ok := b[key]; !ok {
			return false
		}
	}
	var result Value = true
	for key := range a {
		switch Equal(a[key], b[key]) {
		case false:
			return false
		case nil:
			result = nil
		}
	}
	return result
}
