package source

// ReadWith is Read with another parser than lang's.
var ReadWith = read
