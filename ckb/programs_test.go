package ckb_test

func runFake(mode, root string) {}
