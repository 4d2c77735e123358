// Package cypher runs read-only openCypher queries on a graph. [Run] answers a query on a [Graph]; [Code] makes one
// of a code graph.
package cypher
