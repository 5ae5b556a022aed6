package app

import "coverslip/viewer/render"

// histogramBins is how fine a histogram is drawn.
const histogramBins = 128

// plotted names a channel of a scene.
type plotted struct {
	scene   *render.Scene
	channel int
}

// counter counts how often each value occurs in a channel, on a goroutine of its own, since a large plane takes longer than a
// frame. It counts once for each channel and scene, and one at a time: what is wanted when a count ends is counted next.
type counter struct {
	post func(func())
	show func(counts []int)

	wanted, counted plotted
	busy            bool
}

// Want asks for the counts of a channel; no scene asks for none.
func (c *counter) Want(what plotted) {
	c.wanted = what
	if c.busy || what == c.counted {
		return
	}
	if what.scene == nil {
		c.counted = what
		c.show(nil)
		return
	}
	c.busy = true
	go func() {
		counts := what.scene.Channels[what.channel].Histogram(histogramBins)
		c.post(func() {
			c.busy, c.counted = false, what
			c.show(counts)
			c.Want(c.wanted)
		})
	}()
}
