package llm

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Settings are what the user says of models. The zero value is auto, with what the
// environment has in keys.
type Settings struct {
	Provider     string // one of [Providers]; "" for [Auto]
	ProviderFrom string // where that was said, for people: "REVERSE_SPEC_PROVIDER"
	Model        string // "" for the provider's default
	ModelFrom    string // where that was said
	AnthropicURL string // where Anthropic's API is; "" for api.anthropic.com
	OpenAIURL    string // where OpenAI's API is; "" for api.openai.com, which auto does not take
	AllowClaude  bool   // auto may take the claude command

	Getenv func(name string) string     // has the keys; nil for os.Getenv
	Find   func(string) (string, error) // finds a command; nil for exec.LookPath
}

// Choice is which model is asked, and why.
type Choice struct {
	Provider  string `json:"provider"`
	Why       string `json:"why"`
	Model     string `json:"model,omitempty"` // "" for the only one that the server has
	ModelFrom string `json:"modelFrom,omitempty"`
	BaseURL   string `json:"baseUrl,omitempty"` // without a password
	Command   string `json:"command,omitempty"` // of claude-cli: the program
	Key       string `json:"key,omitempty"`     // masked
	KeyFrom   string `json:"keyFrom,omitempty"` // the environment variable
	// Warnings are what results should say: that nothing was found to ask.
	Warnings []string `json:"warnings,omitempty"`
	// Looked is what auto found of each provider, up to the one that it took.
	Looked []Look `json:"looked,omitempty"`

	key  string
	row  provider
	base string // with a password, if there is one
}

// Look is what auto found of a provider.
type Look struct {
	Provider string `json:"provider"`
	Usable   bool   `json:"usable"`
	Why      string `json:"why"`
}

// Options are how a model is asked. The zero value is how users do it.
type Options struct {
	Limit   time.Duration // of an attempt; 0 for by the size of the request
	Silence time.Duration // after which an answer that has begun counts as cut; 0 for as the provider has it
	Rate    int           // most requests a minute, of all who ask this model; 0 for no bound
	Clock   Clock
}

// Choose finds out which model to ask. It asks none; of the claude command it asks
// whether it is logged in. With [Auto] there is always a choice, if only [None]; that
// a provider that was named cannot be used is an [*Error] of [KindMissing].
func Choose(ctx context.Context, s Settings) (*Choice, error) {
	if s.Getenv == nil {
		s.Getenv = os.Getenv
	}
	if s.Find == nil {
		s.Find = exec.LookPath
	}
	c := &Choice{}
	if name := cmp.Or(s.Provider, Auto); name == Auto {
		c.look(ctx, &s)
	} else if err := c.take(ctx, name, s.ProviderFrom); err != nil {
		return nil, err
	}
	if err := c.row.complete(ctx, &s, c); err != nil {
		return nil, err
	}
	c.Provider, c.Key = c.row.name, ""
	if c.row.key != "" {
		if c.key = strings.TrimSpace(s.Getenv(c.row.key)); c.key != "" {
			c.Key, c.KeyFrom = mask(c.key), c.row.key
		}
	}
	if c.Provider != None {
		c.Model, c.ModelFrom = cmp.Or(s.Model, c.Model, c.row.model), message.Sprintf(ctx, "the default")
		switch {
		case s.Model != "":
			c.ModelFrom = s.ModelFrom
		case c.Model == "":
			c.ModelFrom = message.Sprintf(ctx, "the only one that the server has")
		}
	}
	return c, nil
}

// look takes the first provider that is usable.
func (c *Choice) look(ctx context.Context, s *Settings) {
	for _, p := range providers() {
		ok, why := p.usable(ctx, s)
		c.Looked = append(c.Looked, Look{p.name, ok, why})
		if ok {
			c.row, c.Why = p, why
			return
		}
	}
}

// take takes a provider by its name.
func (c *Choice) take(ctx context.Context, name, from string) error {
	all := providers()
	i := slices.IndexFunc(all, func(p provider) bool { return p.name == name })
	if i < 0 {
		known := strings.Join(Providers(), ", ")
		if near := suggest.Nearest(name, Providers()); near != "" {
			return &Error{Kind: KindMissing, note: message.New("no provider %q (there are %s); did you mean %s?", name, known, near)}
		}
		return &Error{Kind: KindMissing, note: message.New("no provider %q (there are %s)", name, known)}
	}
	c.row, c.Why = all[i], message.Sprintf(ctx, "it was asked for")
	if from != "" {
		c.Why = message.Sprintf(ctx, "it was asked for: %s", from)
	}
	return nil
}

// at takes an address, or a default, without the suffix that the API's paths have
// anyway. Not a word of it is in the error: it may hold a
// password.
func (c *Choice) at(address, home, suffix string) error {
	u, err := url.Parse(strings.TrimRight(cmp.Or(strings.TrimSpace(address), home), "/"))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return &Error{Kind: KindMissing, note: message.New("the base URL is not one of http or https")}
	}
	u.Path = strings.TrimSuffix(u.Path, suffix)
	c.base, c.BaseURL = u.String(), u.Redacted()
	return nil
}

// Open returns the model that was chosen. [None] is one that always fails with the
// warning of the choice.
func (c *Choice) Open(o Options) Model {
	o.Clock = o.Clock.orReal()
	name := c.Provider
	if c.Model != "" {
		name += "/" + c.Model
	}
	return &model{asker: c.row.open(c, o), name: name, api: c.api(), key: c.key, limit: o.Limit, clock: o.Clock, pace: newPace(o.Rate)}
}

// api is whom errors name.
func (c *Choice) api() string {
	switch {
	case c.Provider == ClaudeCLI:
		return "claude CLI"
	case c.Provider == OpenAI && c.base == openAIHome:
		return "OpenAI API"
	case c.Provider == OpenAI:
		return "LLM API (" + c.BaseURL + ")"
	default:
		return "Claude API"
	}
}
