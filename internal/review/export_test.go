package review

// Mentions is mentions.
var Mentions = mentions
