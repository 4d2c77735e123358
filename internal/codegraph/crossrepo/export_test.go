package crossrepo

// Read reads a contract of each kind from one text, for the fuzzer.
func Read(data []byte) (symbols []Symbol) {
	for _, k := range kinds() {
		if k.read == nil {
			continue
		}
		list, err := k.read(data)
		if err == nil {
			symbols = append(symbols, list...)
		}
	}
	return symbols
}

// Operations returns the number of uses of schema in document.
func Operations(schema, document []byte) int {
	list, _ := readGraphQL(schema)
	all := make([]*contractSymbol, len(list))
	for i := range list {
		all[i] = &contractSymbol{Symbol: &list[i], repo: &repository{}, contract: &Contract{}}
	}
	return len(graphQLMatcher(all)(&view{text: document}))
}

// Literals returns the texts between quotes in source code, with their lines.
func Literals(src, language string) (texts []string, lines []int) {
	for _, l := range literals(src, language) {
		texts, lines = append(texts, l.text), append(lines, l.line)
	}
	return texts, lines
}

// PathIn returns the segments of the path in a text, parameters as "*".
func PathIn(text string) []string {
	found, _ := pathIn(text)
	parts := found.parts
	for i, p := range parts {
		if p == parameter {
			parts[i] = "*"
		}
	}
	return parts
}
