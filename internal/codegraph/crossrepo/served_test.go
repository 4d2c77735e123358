package crossrepo_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

func TestCodeThatServesContracts(t *testing.T) {
	served := crossrepo.Served([]string{
		"cart.src.services.CartService.AddItem", "cart.main.cartServer.EmptyCart", "cart.store.Redis.GetCart", "ads.thread.Reader.GetAds", "api.owners.list_owners", "api.owners.list",
	})
	for e, want := range map[store.VirtualEdge]bool{
		{Contract: "proto", Type: store.VirtualCalls, TargetSymbol: "shop.CartService.AddItem"}:   true,
		{Contract: "proto", Type: store.VirtualCalls, TargetSymbol: "shop.CartService.EmptyCart"}: true,
		{Contract: "proto", Type: store.VirtualCalls, TargetSymbol: "shop.CartService.GetCart"}:   false, // of another type
		{Contract: "proto", Type: store.VirtualCalls, TargetSymbol: "shop.AdService.GetAds"}:      false, // "ad" is in many names
		{Contract: "proto", Type: store.VirtualImports, TargetSymbol: "shop.CartService"}:         false,
		{Contract: "openapi", Type: store.VirtualCalls, TargetSymbol: "listOwners"}:               true,
		{Contract: "openapi", Type: store.VirtualCalls, TargetSymbol: "list"}:                     false, // one word
		{Contract: "graphql", Type: store.VirtualCalls, TargetSymbol: "Query.list"}:               false,
	} {
		if got := served(&e); got != want {
			t.Errorf("%s %s: %v", e.Contract, e.TargetSymbol, got)
		}
	}
}
