package xlsx

import (
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// cellForms are cells in the usual form and close to it.
var cellForms = []string{
	`<c r="%s"><v>12</v></c>`, `<c r="%s" s="1"><v>43000.5</v></c>`, `<c r="%s" t="s"><v>1</v></c>`, `<c r="%s" s="0"/>`, `<c s="1" r="%s" t="n"><v>-1e3</v></c>`,
	`<c r="%s" t="s"><v>2</v></c>`, `<c r="%s" t="b"><v>1</v></c>`, `<c r="%s" t="str"><v>a &amp; b</v></c>`, `<c r="%s" t="e"><v>#N/A</v></c>`, `<c r="%s"><v></v></c>`,
	`<c r="%s"><f>A1</f><v>3</v></c>`, `<c r="%s"><f>A1</f></c>`, `<c r="%s" t="inlineStr"><is><t>x</t></is></c>`, `<c  r="%s"><v>1</v></c>`, `<c r="%s" ><v>1</v></c>`,
	`<c r='%s'><v>1</v></c>`, `<c r="%s" r="A1"><v>1</v></c>`, `<c r="%s" x="1"><v>1</v></c>`, `<c r="%s"><v>1</v><v>2</v></c>`, `<c r="%s"><v>1</v></c >`, `<c r="%s"><v>1]]></v></c>`,
	`<c r="%s"><v xml:space="preserve"> 1 </v></c>`, `<c r="%s"><w>1</w></c>`, `<c r="%s" xmlns="other"><v>1</v></c>`, `<x:c r="%s"><x:v>1</x:v></x:c>`, `<d r="%s"><v>1</v></d>`,
	"<c r=\"%s\"><v>1\r\n</v></c>", "<c r=\"%s\" t=\"str\"><v>\x01</v></c>", `<c r="%s" t="str"><v>ä</v></c>`, `<c r="%s"><v>1</v></d>`, `<c r="%s" t="str"><v>a > "b"</v></c>`, `<c><v>5</v></c><!-- %s -->`,
}

// sheetOf strings cells together, some of them damaged.
func sheetOf(rng *rand.Rand) string {
	var b strings.Builder
	space := []string{mainSpace, mainSpace, mainSpace, mainSpaceStrict, "other"}[rng.IntN(5)]
	fmt.Fprintf(&b, `<worksheet xmlns="%s" xmlns:x="%s"><sheetData>`, space, mainSpace)
	for row := range 1 + rng.IntN(4) {
		fmt.Fprintf(&b, `<row r="%d">`, row+1)
		for column := range rng.IntN(6) {
			form := cellForms[rng.IntN(5)]
			if rng.IntN(3) == 0 {
				form = cellForms[rng.IntN(len(cellForms))]
			}
			cell := fmt.Sprintf(form, fmt.Sprintf("%c%d", 'A'+column+rng.IntN(2), row+1))
			if at := rng.IntN(len(cell)); rng.IntN(20) == 0 {
				cell = cell[:at] + string(`<>"/ =&]v1`[rng.IntN(10)]) + cell[at+1:]
			}
			b.WriteString(cell)
		}
		b.WriteString("</row>")
	}
	return b.String() + "</sheetData></worksheet>"
}

// TestUsualCells: cells that are taken in one step become what they become token by token, as happens when the bytes come
// one by one.
func TestUsualCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 8))
	read := func(in io.Reader) (*part, string) {
		p := &part{shared: []string{"first", "second"}}
		b := &book{out: &Workbook{Path: "a.xlsx"}, styles: map[int]look{1: lookDate}}
		return p, fmt.Sprint((&rowReader{part: p, tally: &b.tally, book: b}).sheet(newScanner(in)), b.tally)
	}
	whole := 0
	for range 20000 {
		text := sheetOf(rng)
		quick, quickEnd := read(strings.NewReader(text))
		slow, slowEnd := read(iotest.OneByteReader(strings.NewReader(text)))
		if quickEnd != slowEnd || !reflect.DeepEqual(quick, slow) {
			t.Fatalf("%s\nin one step: %+v %s\nby tokens: %+v %s", text, quick, quickEnd, slow, slowEnd)
		}
		if strings.HasPrefix(quickEnd, "<nil>") {
			whole++
		}
	}
	if whole < 5000 {
		t.Errorf("only %d sheets were well formed", whole)
	}
}
