package batch

import "github.com/reverse-spec/reverse-spec/spec/format"

// Result is the contract's BatchResult.
type Result struct {
	TotalModules   int      `json:"totalModules"`
	Successful     []string `json:"successful"` // module paths; the lists are never nil
	Failed         []Failed `json:"failed"`
	Skipped        []string `json:"skipped"`  // unchanged since their spec was written
	Degraded       []string `json:"degraded"` // the model failed; also listed in Successful
	Duration       int64    `json:"duration"` // milliseconds
	IndexGenerated bool     `json:"indexGenerated"`
	SummaryLogPath string   `json:"summaryLogPath"` // relative to the project; "" if not requested
	Resumed        bool     `json:"resumed,omitempty"`
	LeftOut        LeftOut  `json:"leftOut"`
	Warnings       []string `json:"warnings,omitempty"` // without duplicates
	// Formatted is what was written in the format of the project; nil for specs alone.
	Formatted *format.Result `json:"formatted,omitempty"`
}

// Failed is a module without a spec.
type Failed struct {
	Path              string `json:"path"`
	Error             string `json:"error"`
	FailedAt          string `json:"failedAt"` // RFC 3339, UTC
	RetryCount        int    `json:"retryCount"`
	DegradedToASTOnly bool   `json:"degradedToAstOnly"`
}

// LeftOut counts the folders with source files that are not modules, by reason.
type LeftOut struct {
	TestOnly  int `json:"testOnly"`
	TestData  int `json:"testData"`  // testdata folders and those below
	Vendored  int `json:"vendored"`  // third-party code
	Generated int `json:"generated"` // only generated code, or that and tests
	Beside    int `json:"beside"`    // examples, benchmarks, support of tests and documentation without a spec
}
