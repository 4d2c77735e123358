package view

import "testing"

func TestSharedFolder(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{"src/main/java/shop", "src/main/java/shop/cart", "src/main/java/shop/till"}, "src/main/java/shop/"},
		{[]string{"src/main/java/shop/cart", "src/main/java/shop/carts"}, "src/main/java/shop/"},
		{[]string{"src/a", "src/b"}, ""},
		{[]string{"src/main/a"}, ""},
		{[]string{"a/b/c", "d/b/c"}, ""},
		{nil, ""},
	} {
		if got := sharedFolder(c.paths); got != c.want {
			t.Errorf("sharedFolder(%q) = %q, want %q", c.paths, got, c.want)
		}
	}
	for path, want := range map[string]string{"src/main/shop/cart": "cart", "src/main/shop": "shop", "docs": "docs"} {
		if got := within("src/main/shop/", path); got != want {
			t.Errorf("within(%q) = %q, want %q", path, got, want)
		}
	}
}
