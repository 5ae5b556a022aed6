package segment

import (
	"fmt"
	"strings"

	"coverslip/scoring/report"
)

// review says why a person should look at a score before it is taken at face value, "" if there is no reason: files that
// were paired by their order alone, images that could not be compared, a compartment that was not judged.
func review(groups []*group) string {
	var reasons []string
	for _, g := range groups {
		prefix := ""
		if g.compartment != "" {
			prefix = g.compartment + ": "
		}
		if g.failed != "" {
			reasons = append(reasons, prefix+g.failed)
			continue
		}
		if g.pairing.LowConfidence {
			reasons = append(reasons, prefix+"files were paired by their order alone")
		}
		if n := g.notCompared(); n > 0 {
			reasons = append(reasons, fmt.Sprintf("%s%d of %s could not be compared", prefix, n, quantity(len(g.rows), "image", "images")))
		}
	}
	return strings.Join(reasons, "; ")
}

func (g *group) notCompared() int {
	n := 0
	for _, v := range g.rows {
		if v.image.Status != report.Scored {
			n++
		}
	}
	return n
}
