// Package check finds what is wrong with a query before it runs.
package check
