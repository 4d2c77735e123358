package resolve

// nearness returns the number of leading folders that two paths share.
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
