package llm

import (
	"math"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Price is the price of a model in US dollars per million tokens.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// prices returns the list prices without discounts, Anthropic's as of March 2026 and OpenAI's
// as of 2025. A name includes its dated versions and no others.
func prices() map[string]map[string]Price {
	return map[string]map[string]Price{
		anthropicHome: {
			"claude-opus-4":     {15, 75},
			"claude-opus-4-1":   {15, 75},
			"claude-opus-4-5":   {5, 25},
			"claude-opus-4-6":   {5, 25},
			"claude-sonnet-4":   {3, 15},
			"claude-sonnet-4-5": {3, 15},
			"claude-sonnet-4-6": {3, 15},
			"claude-haiku-4-5":  {1, 5},
		},
		openAIHome: {
			"gpt-4o":       {2.5, 10},
			"gpt-4o-mini":  {0.15, 0.6},
			"gpt-4.1":      {2, 8},
			"gpt-4.1-mini": {0.4, 1.6},
			"gpt-4.1-nano": {0.1, 0.4},
			"gpt-5":        {1.25, 10},
			"gpt-5-mini":   {0.25, 2},
			"gpt-5-nano":   {0.05, 0.4},
		},
	}
}

// Price returns the model's price if known, which requires that the service itself is used and
// not another server with a model of that name.
func (c *Choice) Price() (p Price, known bool) {
	p, known = prices()[c.base][undated(c.Model)]
	return p, known
}

// undated cuts the date from a model's name: "-20250929", "-2025-04-14".
func undated(model string) string {
	for _, form := range []string{"-dddddddd", "-dddd-dd-dd"} {
		at := len(model) - len(form)
		if at > 0 && digits(model[at:]) == form {
			return model[:at]
		}
	}
	return model
}

// digits replaces each digit with d.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return 'd'
		}
		return r
	}, text)
}

// ParsePrice parses "IN,OUT": dollars per million input and output tokens.
func ParsePrice(text string) (Price, error) {
	in, out, ok := strings.Cut(text, ",")
	if !ok {
		return Price{}, message.Errorf("%q is not two prices, as in 3,15", text)
	}
	var p Price
	for _, half := range []struct {
		text string
		to   *float64
	}{{in, &p.Input}, {out, &p.Output}} {
		n, err := strconv.ParseFloat(strings.TrimSpace(half.text), 64)
		if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
			return Price{}, message.Errorf("%q is not a price", half.text)
		}
		*half.to = n
	}
	return p, nil
}

// Cost returns the cost of tokens in US dollars.
func (p Price) Cost(input, output int) float64 {
	const million = 1e6
	return (float64(input)*p.Input + float64(output)*p.Output) / million
}
