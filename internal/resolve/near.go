package resolve

// nearness is how many folders two paths share from the root on.
func nearness(a, b string) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == '/' {
			n++
		}
	}
	return n
}
