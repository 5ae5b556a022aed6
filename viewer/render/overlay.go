package render

// Overlays are drawn over image and label layers, in image coordinates: points, tracks and vector fields, each of the answer or of the
// truth. They hold all frames; Scene.T and Scene.Z say which of them a picture shows. View.Answer and View.Truth show or hide
// them in colours of View.Colour, View.Errors shows those with a Style in the colours and shapes of their verdicts.

// Point is one point. A pixel's centre is at half coordinates: pixel (y, x) has its centre at (y+0.5, x+0.5).
type Point struct {
	ID      int64
	T       int     // frame
	Z, Y, X float64 // image coordinates
	Class   int     // small number that chooses a colour, -1 none
	Value   float64 // chooses a size and a colour, NaN none
	Style   Style   // verdict
}

// Step is where a track is in one frame.
type Step struct {
	T       int
	Z, Y, X float64
	Style   Style // verdict of the node, or of the link that begins here
}

// Track is one object over time, by rising T. Parent is the track it comes from by division, 0 none.
type Track struct {
	ID, Parent int64
	Steps      []Step
}
