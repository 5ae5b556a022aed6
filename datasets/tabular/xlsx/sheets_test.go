package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"coverslip/datasets/tabular/archive"
)

// bookOf packs sheets, one part each; a sheet without text has no part.
func bookOf(t *testing.T, sheets []string) *archive.Archive {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	put := func(name, content string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var list, relations strings.Builder
	for i, text := range sheets {
		kind := "worksheet"
		if i%5 == 4 {
			kind = "chartsheet"
		}
		fmt.Fprintf(&list, `<sheet name="s%d" r:id="r%d"/>`, i, i)
		fmt.Fprintf(&relations, `<Relationship Id="r%d" Type="%s/%s" Target="s%d.xml"/>`, i, relSpace, kind, i)
		if text != "" {
			put(fmt.Sprintf("xl/s%d.xml", i), text)
		}
	}
	put("[Content_Types].xml", parts["[Content_Types].xml"])
	put("xl/sharedStrings.xml", parts["xl/sharedStrings.xml"])
	put("xl/styles.xml", parts["xl/styles.xml"])
	put("xl/workbook.xml", `<workbook xmlns:r="`+relSpace+`"><sheets>`+list.String()+`<sheet name="no id"/><sheet name="no relation" r:id="q"/></sheets></workbook>`)
	put("xl/_rels/workbook.xml.rels", "<Relationships>"+relations.String()+"</Relationships>")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := archive.New("a.xlsx", bytes.NewReader(out.Bytes()), int64(out.Len()), limits)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// readWith reads a workbook whose sheets find some of the limits used up already, at once or one after the other.
func readWith(t *testing.T, a *archive.Archive, used tally, atOnce int64) (*Workbook, string) {
	t.Helper()
	b := &book{archive: a, out: &Workbook{Path: "a.xlsx"}, styles: map[int]look{}, tally: used, atOnce: atOnce}
	if err := b.read(); err != nil {
		return b.out, err.Error()
	}
	return b.out, fmt.Sprint(b.tally)
}

// TestSheetsAtOnce: sheets that are read at once become what they become one after the other, also where they reach a limit
// together.
func TestSheetsAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 290))
	reached := 0
	for round := range 800 {
		var sheets []string
		for range rng.IntN(7) {
			text := sheetOf(rng)
			if rng.IntN(12) == 0 {
				text = ""
			}
			sheets = append(sheets, text)
		}
		a := bookOf(t, sheets)
		var used tally
		switch round % 4 {
		case 1:
			used.cells = maxCells - rng.IntN(20)
		case 2:
			used.rows = maxRows - rng.IntN(8)
		case 3:
			used.text = maxText - 40 - rng.IntN(100)
		}
		quick, quickEnd := readWith(t, a, used, maxAtOnce)
		slow, slowEnd := readWith(t, a, used, 0)
		if quickEnd != slowEnd || !reflect.DeepEqual(quick, slow) {
			t.Fatalf("%q, %+v\nat once: %+v %s\none by one: %+v %s", sheets, used, quick, quickEnd, slow, slowEnd)
		}
		for _, s := range slow.Sheets {
			if s.Err != nil && strings.Contains(s.Err.Error(), "more than") {
				reached++
				break
			}
		}
	}
	if reached < 50 {
		t.Errorf("only %d workbooks reached a limit", reached)
	}
}
