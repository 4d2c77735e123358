package lang

func ShownKotlin(b []byte) []byte { return rewriteKotlin(b).shown }
