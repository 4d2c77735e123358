// Package annotation writes findings about places in code in the forms that forges show beside the code: SARIF 2.1.0 for code
// scanning, and the workflow commands of GitHub.
package annotation

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Level is how much a finding matters.
type Level string

// Levels, as SARIF calls them.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Finding is what is said of a place.
type Finding struct {
	Rule, Title, Text string
	File              string // relative to the project
	Line              int    // 0 if unknown
	Level             Level
}

// Rule is a kind of finding.
type Rule struct{ ID, Text string }

// GitHub writes findings as workflow commands, which GitHub shows at the files.
func GitHub(w io.Writer, list []Finding) error {
	value := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range list {
		command := string(f.Level)
		if f.Level == Note {
			command = "notice"
		}
		at := "file=" + property.Replace(f.File)
		if f.Line > 0 {
			at += fmt.Sprintf(",line=%d", f.Line)
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=%s::%s\n", command, at, property.Replace(f.Title), value.Replace(f.Text)); err != nil {
			return err
		}
	}
	return nil
}

// The part of SARIF 2.1.0 that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
)

// SARIF returns findings in SARIF 2.1.0.
func SARIF(rules []Rule, list []Finding) []byte {
	var run sarifRun
	run.Tool.Driver = sarifDriver{Name: "reverse-spec", Rules: []sarifRule{}}
	for _, r := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Text}})
	}
	run.Results = []sarifResult{}
	for _, f := range list {
		at := sarifLocation{}
		at.Physical.Artifact.URI = f.File
		if f.Line > 0 {
			at.Physical.Region = &sarifRegion{f.Line}
		}
		run.Results = append(run.Results, sarifResult{f.Rule, string(f.Level), sarifText{f.Title + ": " + f.Text}, []sarifLocation{at}})
	}
	text, err := json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		return nil // strings always encode
	}
	return append(text, '\n')
}
