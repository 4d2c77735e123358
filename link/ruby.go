package link

func rubyLanguage() *language { return &language{} }
