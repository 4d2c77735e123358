// Package clients uses the plugin as people do: through a real coding agent, to whom a
// scripted model speaks. There is no network, no login and no key in it. `make plugin`
// fetches the agents, at versions that are written down there, and runs the tests.
package clients
