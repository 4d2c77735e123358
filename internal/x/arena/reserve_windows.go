package arena

// reserve returns nothing: the heap is used.
func reserve(int) []byte { return nil }

func release([]byte) error { return nil }
