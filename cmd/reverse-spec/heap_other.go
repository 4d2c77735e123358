//go:build !linux

package main

func populate(int) {}
