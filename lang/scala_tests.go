package lang

func scalaTests(r *reader) { r.junit(r.file.Symbols, "") }
