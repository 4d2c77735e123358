package jsonrpc

// The notifications of MCP about requests in flight.
const (
	MethodCancelled = "notifications/cancelled"
	MethodProgress  = "notifications/progress"
)

// Cancelled are the params of notifications/cancelled: nobody waits for the response any more.
type Cancelled struct {
	Reason    string `json:"reason,omitempty"`
	RequestID ID     `json:"requestId"`
}

// Progress is how far a request is, in units of the one who works on it.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"`   // 0 for not known
	Message  string  `json:"message,omitempty"` // "" for none
}

// ProgressParams are the params of notifications/progress.
type ProgressParams struct {
	Token ID `json:"progressToken"` // as in the request's _meta
	Progress
}
