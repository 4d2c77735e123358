package program

import "github.com/reverse-spec/reverse-spec/internal/code"

func readUrfave(p *parser, f *code.File)     {}
func readCommander(p *parser, f *code.File)  {}
func readYargs(p *parser, f *code.File)      {}
func readClap(p *parser, f *code.File)       {}
func readClapDerive(p *parser, f *code.File) {}
func readPicocli(p *parser, f *code.File)    {}
func readThor(p *parser, f *code.File)       {}
