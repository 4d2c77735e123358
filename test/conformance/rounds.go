//go:build conformance

package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/mcp"
)

// rounds are the requests for input that a call makes, one after another, before it runs.
// Since revision 2026-07-28 questions are a result, and their answers come with the same
// call made again.
type rounds []mcpgo.InputRequests

// asking are the tools that ask.
func asking() map[string]rounds {
	name, color, confirm := elicit("What is your name?", "name"), elicit("What is your favorite color?", "color"), elicit("Please confirm", "ok")
	capital, greeting, roots := sampling("What is the capital of France?"), sampling("Greet somebody"), mcpgo.NewRootsInputRequest()
	const prefix = "test_input_required_result_"
	return map[string]rounds{
		prefix + "elicitation":       {{"user_name": name}},
		prefix + "sampling":          {{"capital_question": capital}},
		prefix + "list_roots":        {{"client_roots": roots}},
		prefix + "request_state":     {{"confirm": confirm}},
		prefix + "tampered_state":    {{"confirm": confirm}},
		prefix + "multiple_inputs":   {{"user_name": name, "greeting": greeting, "client_roots": roots}},
		prefix + "multi_round":       {{"step1": name}, {"step2": color}},
		prefix + "capabilities":      {{"user_name": name, "greeting": greeting}},
		"test_streaming_elicitation": {{"user_name": name}},
	}
}

// elicit asks the user for one text.
func elicit(message, name string) mcpgo.InputRequest {
	return mcpgo.NewElicitationInputRequest(mcpgo.ElicitationParams{Message: message, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{name: map[string]any{"type": "string"}}, "required": []string{name},
	}})
}

// sampling asks the model.
func sampling(prompt string) mcpgo.InputRequest {
	return mcpgo.NewSamplingInputRequest(mcpgo.CreateMessageParams{
		Messages:  []mcpgo.SamplingMessage{{Role: mcpgo.RoleUser, Content: mcpgo.NewTextContent(prompt)}},
		MaxTokens: 100,
	})
}

// offerRounds declares the tools that ask, and a prompt that does.
func offerRounds(s *mcp.Server) {
	signer := signer(rand.Text())
	inputRequired := mcpgo.Result{ResultType: mcpgo.ResultTypeInputRequired}
	tools := asking()
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		s.Offer(mcpgo.NewTool(name, mcpgo.WithDescription("The suite's "+name+".")), func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			ask, err := tools[name].next(ctx, signer, r.Params.MultiRoundTripParams)
			if err != nil || ask == nil {
				return mcpgo.NewToolResultText("state-ok: all is known"), err
			}
			return &mcpgo.CallToolResult{Result: inputRequired, MultiRoundTripResult: *ask}, nil
		})
	}
	const name = "test_input_required_result_prompt"
	asked := rounds{{"user_context": elicit("What context should the prompt use?", "context")}}
	s.Engine().AddPrompt(mcpgo.NewPrompt(name, mcpgo.WithPromptDescription("The suite's "+name+".")), func(ctx context.Context, r mcpgo.GetPromptRequest) (*mcpgo.GetPromptResult, error) {
		ask, err := asked.next(ctx, signer, r.Params.MultiRoundTripParams)
		if err != nil || ask == nil {
			return mcpgo.NewGetPromptResult("", []mcpgo.PromptMessage{mcpgo.NewPromptMessage(mcpgo.RoleUser, mcpgo.NewTextContent("All is known."))}), err
		}
		return &mcpgo.GetPromptResult{Result: inputRequired, MultiRoundTripResult: *ask}, nil
	})
}

// next is the first round for which a call does not have all answers; nil when there is none. The
// state names the last round.
func (r rounds) next(ctx context.Context, s signer, given mcpgo.MultiRoundTripParams) (*mcpgo.MultiRoundTripResult, error) {
	at := 0
	if given.RequestState != "" {
		var err error
		if at, err = s.open(given.RequestState); err != nil {
			return nil, err
		}
	}
	if at >= len(r) {
		return nil, errors.New("the state is that of another call")
	}
	asked := possible(ctx, r[at])
	if answers := given.InputResponses; answers.DecodeFor(asked) == nil && covers(answers, asked) {
		if at++; at == len(r) {
			return nil, nil
		}
		asked = possible(ctx, r[at])
	}
	return &mcpgo.MultiRoundTripResult{InputRequests: asked, RequestState: s.sign(at)}, nil
}

// possible are the requests that the client has the capability to answer.
func possible(ctx context.Context, asked mcpgo.InputRequests) mcpgo.InputRequests {
	of := server.RequestProtocolInfoFromContext(ctx)
	if of == nil || of.ClientCapabilities == nil {
		return asked
	}
	can := of.ClientCapabilities
	left := maps.Clone(asked)
	maps.DeleteFunc(left, func(_ string, q mcpgo.InputRequest) bool {
		return q.Elicitation != nil && can.Elicitation == nil || q.Sampling != nil && can.Sampling == nil || q.Roots != nil && can.Roots == nil
	})
	return left
}

// covers reports whether each request has an answer.
func covers(answers mcpgo.InputResponses, asked mcpgo.InputRequests) bool {
	for id := range asked {
		if _, ok := answers[id]; !ok {
			return false
		}
	}
	return true
}

// signer is the key that states are signed with: the client keeps them, and could change
// them.
type signer string

// sign writes a number as a state.
func (s signer) sign(n int) string {
	text := strconv.Itoa(n)
	mac := hmac.New(sha256.New, []byte(s))
	mac.Write([]byte(text))
	return text + "." + hex.EncodeToString(mac.Sum(nil))
}

// open reads the number of a state.
func (s signer) open(state string) (int, error) {
	text, _, _ := strings.Cut(state, ".")
	n, err := strconv.Atoi(text)
	if err != nil || !hmac.Equal([]byte(s.sign(n)), []byte(state)) {
		return 0, errors.New("the state is none that this server gave")
	}
	return n, nil
}
