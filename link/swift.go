package link

func swiftLanguage() *language { return &language{} }
