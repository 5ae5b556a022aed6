package signal

import "coverslip/datasets/tabular/python"

// lower is the reference's lower-casing.
func lower(s string) string { return python.Lower(s) }
