#!/usr/bin/env bash
# Draws docs/pictures/review.svg: what `reverse-spec review` says of a change to a library that another repository uses. Both are made
# here, so that nothing in the picture is made up. No browser is needed: it is the program's text, line by line.
set -euo pipefail
cd "$(dirname "$0")/.."

program=$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec
picture=$PWD/docs/pictures/review.svg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache REVERSE_SPEC_HOME=$work/home REVERSE_SPEC_LANG=en

mkdir -p "$work"/{cart,checkout}
cat >"$work/cart/go.mod" <<'GO'
module example.com/cart

go 1.22
GO
cat >"$work/cart/cart.go" <<'GO'
// Package cart adds up what is bought.
package cart

import "errors"

// Total adds prices in cents.
func Total(prices []int) (int, error) {
	sum := 0
	for _, p := range prices {
		if p < 0 {
			return 0, errors.New("negative price")
		}
		sum += p
	}
	return sum, nil
}
GO
cat >"$work/cart/cart_test.go" <<'GO'
package cart

import "testing"

func TestNegativePrice(t *testing.T) {
	if _, err := Total([]int{-1}); err == nil {
		t.Fatal("no error")
	}
}
GO
cat >"$work/checkout/go.mod" <<'GO'
module example.com/checkout

go 1.22

require example.com/cart v1.0.0
GO
cat >"$work/checkout/pay.go" <<'GO'
package checkout

import "example.com/cart"

// Pay returns what is due.
func Pay(prices []int) (int, error) {
	return cart.Total(prices)
}
GO
for dir in cart checkout; do
  git -C "$work/$dir" init -q
  git -C "$work/$dir" add -A
  git -C "$work/$dir" -c user.name=a -c user.email=a@b.c commit -qm first
done
printf 'schema_version: 1\nfederation:\n  repositories:\n    - path: cart\n    - path: checkout\n' >"$work/federation.yaml"
"$program" federate --quiet --config "$work/federation.yaml" >"$work/log"
sed -i 's/prices \[\]int)/prices []int, currency string)/; s/negative price/price below zero/' "$work/cart/cart.go"
sed -i 's/{-1})/{-1}, "EUR")/' "$work/cart/cart_test.go"
(cd "$work/cart" && "$program" review --no-color >"$work/review.txt" 2>"$work/log")

# A line of text is a line of the picture; headings are bold, verdicts coloured.
awk -v width=1180 '
  function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
  { line[NR] = $0 }
  END {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">\n", width, NR * 21 + 66
    print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>"
    print "<text x=\"20\" y=\"34\" fill=\"#8b949e\" xml:space=\"preserve\">$ reverse-spec review</text>"
    for (i = 1; i <= NR; i++) {
      colour = "#c9d1d9"; weight = "normal"
      if (line[i] ~ /^Risk: high/) { colour = "#ff7b72"; weight = "bold" }
      else if (line[i] ~ /^[A-Z]/) weight = "bold"
      else if (line[i] ~ /used by|named by/) colour = "#ffa657"
      else if (line[i] ~ /`go test|^  `/) colour = "#7ee787"
      printf "<text x=\"20\" y=\"%d\" fill=\"%s\" font-weight=\"%s\" xml:space=\"preserve\">%s</text>\n", 34 + i * 21, colour, weight, escaped(line[i])
    }
    print "</svg>"
  }' "$work/review.txt" >"$picture"
ls -l "$picture"
