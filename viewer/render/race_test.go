//go:build race

package render

func init() { raceDetector = true }
