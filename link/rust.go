package link

func rustLanguage() *language { return &language{} }
