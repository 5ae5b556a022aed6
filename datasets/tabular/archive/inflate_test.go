package archive

import (
	"archive/zip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// TestReadersAtOnce: members read at the same time, to their ends or not, closed once or twice, do not disturb each other,
// though they are unpacked in memory that is used again.
func TestReadersAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 951))
	var members, texts []string
	for i := range 20 {
		name, text := fmt.Sprint(i), strings.Repeat(fmt.Sprint(rng.Uint64()), rng.IntN(9000))
		members, texts = append(members, name, text), append(texts, text)
	}
	a, err := open(pack(t, zip.Deflate, 0o600, members...), DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i, text := range append(texts, texts...) {
		wg.Go(func() {
			r, err := a.Reader(a.Find(fmt.Sprint(i%len(texts))), 1<<20)
			if err != nil {
				t.Error(err)
				return
			}
			want := text
			if i >= len(texts) {
				want = text[:len(text)/2]
			}
			got := make([]byte, len(want))
			if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
				t.Errorf("member %d: %d bytes are others, %v", i, len(want), err)
			}
			r.Close()
			r.Close()
			if n, err := r.Read(make([]byte, 1)); n > 0 || err == nil {
				t.Errorf("member %d: %d bytes and %v after its end", i, n, err)
			}
		})
	}
	wg.Wait()
}
