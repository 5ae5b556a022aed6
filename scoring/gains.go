package scoring

import (
	"context"

	"coverslip/scoring/line"
)

// Gains replaces the costs of a report that are estimates (Report.Estimated) by the exact gains, which take longer than the
// score itself. It reads the masks again. Other reports come back as they are.
func Gains(ctx context.Context, r *Report, progress Progress) (*Report, error) {
	return line.Gains(ctx, r, progress)
}
