package link

func phpLanguage() *language { return &language{} }
