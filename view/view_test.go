package view_test
