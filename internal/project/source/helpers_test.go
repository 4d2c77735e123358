package source_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A test that names nothing of the target gets it from a fixture, a base class or a function of another test file.
func TestATestIsFoundThroughItsHelper(t *testing.T) {
	files := map[string]string{
		"src/shop/__init__.py": "", "src/shop/cart.py": "class Cart:\n    def total(self):\n        return 1\n",
		"tests/conftest.py":    "import pytest\nfrom shop.cart import Cart\n\n@pytest.fixture\ndef basket():\n    return Cart()\n",
		"tests/base.py":        "import unittest\nfrom shop.cart import Cart\n\nclass Base(unittest.TestCase):\n    def setUp(self):\n        self.it = Cart()\n",
		"tests/test_given.py":  "def test_sum(basket):\n    assert basket.total() == 1\n",
		"tests/test_marked.py": "import pytest\n\n@pytest.mark.usefixtures('basket')\ndef test_it():\n    assert True\n",
		"tests/test_based.py":  "from tests.base import Base\n\nclass TestIt(Base):\n    def test_sum(self):\n        self.assertEqual(self.it.total(), 1)\n",
		"tests/test_other.py":  "def test_nothing():\n    assert 1 == 1\n",
		"web/src/cart.ts":      "export class Cart { total() { return 1 } }\n",
		"web/test/set-up.ts":   "import { Cart } from '../src/cart'\nexport function fresh() { return new Cart() }\n",
		"web/test/a.test.ts":   "import { it, expect } from 'vitest'\nimport { fresh } from './set-up'\nit('sums', () => { expect(fresh().total()).toBe(1) })\n",
		"web/test/b.test.ts":   "import { it, expect } from 'vitest'\nit('adds', () => { expect(1 + 1).toBe(2) })\n",
	}
	p := openProject(t, files)
	for target, want := range map[string][]string{
		"src/shop/cart.py": {"tests/test_based.py", "tests/test_given.py", "tests/test_marked.py"},
		"web/src/cart.ts":  {"web/test/a.test.ts"},
	} {
		tree := read(t, p, target)
		must(t, tree.ReadRelated(t.Context(), p))
		var got []string
		for _, f := range tree.Tests {
			got = append(got, f.Path)
		}
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(got))); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
		if len(tree.Helpers) == 0 {
			t.Errorf("%s: no helper was read", target)
		}
	}
}
