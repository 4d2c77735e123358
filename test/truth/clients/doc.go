// Package clients uses the plugin as people do: through real coding agents, to whom a
// scripted model speaks. There is no network, no login and no key in it. `make plugin`
// fetches the agents, at versions that are written down there, takes the network away and
// runs the tests.
package clients
