package format

func (w *writer) specKit() error { return nil }
func (w *writer) ears() error    { return nil }
