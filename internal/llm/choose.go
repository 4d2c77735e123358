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

// Settings are the user's settings for models. The zero value means auto, with keys from the
// environment.
type Settings struct {
	Provider     string // one of [Providers]; "" for [Auto]
	ProviderFrom string // where that was set, for people: "REVERSE_SPEC_PROVIDER"
	Model        string // "" for the provider's default
	ModelFrom    string // where that was set
	AnthropicURL string // address of Anthropic's API; "" for api.anthropic.com
	OpenAIURL    string // address of OpenAI's API; "" for api.openai.com, which auto does not choose
	AllowClaude  bool   // auto may choose the claude command

	Getenv func(name string) string     // returns the keys; nil for os.Getenv
	Find   func(string) (string, error) // finds a command; nil for exec.LookPath
}

// Choice is the chosen model and the reasons.
type Choice struct {
	Provider  string `json:"provider"`
	Why       string `json:"why"`
	Model     string `json:"model,omitempty"` // "" for the server's only model
	ModelFrom string `json:"modelFrom,omitempty"`
	BaseURL   string `json:"baseUrl,omitempty"` // without a password
	Command   string `json:"command,omitempty"` // for claude-cli: path of the program
	Key       string `json:"key,omitempty"`     // masked
	KeyFrom   string `json:"keyFrom,omitempty"` // the environment variable
	// Warnings are for results, such as that no model was found.
	Warnings []string `json:"warnings,omitempty"`
	// Looked lists what auto found about each provider, up to the chosen one.
	Looked []Look `json:"looked,omitempty"`

	key  string
	row  provider
	base string // with the password, if any
}

// Look is what auto found about a provider.
type Look struct {
	Provider string `json:"provider"`
	Usable   bool   `json:"usable"`
	Why      string `json:"why"`
}

// Options are the options of [Choice.Open]. The zero value is for production.
type Options struct {
	Limit   time.Duration // time limit of an attempt; 0 to derive it from the size of the request
	Silence time.Duration // longest pause within a stream; 0 for the provider's default
	Rate    int           // requests per minute, shared by all users of the model; 0 for no limit
	Clock   Clock
}

// Choose determines the model to use. It sends no request to a model, but asks the claude
// command whether it is logged in. With [Auto] there is always a choice, possibly [None]. The
// error is an [*Error] of [KindMissing] if a named provider cannot be used.
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
		case c.Provider == Client:
			c.ModelFrom = message.Sprintf(ctx, "the one that the MCP client chooses")
		case c.Model == "":
			c.ModelFrom = message.Sprintf(ctx, "the only one that the server has")
		}
	}
	return c, nil
}

// look chooses the first usable provider.
func (c *Choice) look(ctx context.Context, s *Settings) {
	for _, p := range providers() {
		if p.name == Client && clientModel(ctx).Sample == nil {
			continue // as everywhere outside a server
		}
		ok, why := p.usable(ctx, s)
		c.Looked = append(c.Looked, Look{p.name, ok, why})
		if ok {
			c.row, c.Why = p, why
			return
		}
	}
}

// take chooses a provider by name.
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

// at sets the address, or a default, without the suffix that all paths of the API have. The
// error does not quote the address, which may contain a password.
func (c *Choice) at(address, home, suffix string) error {
	u, err := url.Parse(strings.TrimRight(cmp.Or(strings.TrimSpace(address), home), "/"))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return &Error{Kind: KindMissing, note: message.New("the base URL is not one of http or https")}
	}
	u.Path = strings.TrimSuffix(u.Path, suffix)
	c.base, c.BaseURL = u.String(), u.Redacted()
	return nil
}

// Open returns the chosen model. The model of [None] always fails with the warning of the
// choice.
func (c *Choice) Open(o Options) Model {
	o.Clock = o.Clock.orReal()
	name := c.Provider
	if c.Model != "" {
		name += "/" + c.Model
	}
	return &model{asker: c.row.open(c, o), name: name, api: c.api(), key: c.key, limit: o.Limit, clock: o.Clock, pace: newPace(o.Rate)}
}

// api returns the name of the service for errors.
func (c *Choice) api() string {
	switch {
	case c.Provider == ClaudeCLI:
		return "claude CLI"
	case c.Provider == Client:
		return "MCP client"
	case c.Provider == OpenAI && c.base == openAIHome:
		return "OpenAI API"
	case c.Provider == OpenAI:
		return "LLM API (" + c.BaseURL + ")"
	default:
		return "Claude API"
	}
}
