package filetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Vector is one entry of an expected.json: what a file should read as.
type Vector struct {
	Outcome   string  `json:"outcome"`       // "ok", "warn", "error", or "survive": only not to crash, hang or take memory
	ErrorKind string  `json:"error_kind"`    // "malformed", "unsupported", "too large"
	Warn      string  `json:"warn"`          // what the warning is about
	Policy    string  `json:"policy"`        // in words
	Memory    float64 `json:"max_memory_mb"` // that reading may take
	Budget    struct {
		Open float64 `json:"open_s"`
	} `json:"min_open_budget"`

	// Images: the first series as scoring sees it.
	Shape     []int           `json:"series_shape"`
	Axes      *string         `json:"axes"`
	Type      *string         `json:"dtype"`
	Hash      *string         `json:"sha256_le"`
	Probes    json.RawMessage `json:"probes"` // single samples and planes
	Reference struct {
		Reader string `json:"reader"`
		Reads  *bool  `json:"reads"`
		Same   *bool  `json:"same_values"`
	} `json:"reference"`
	Metadata metadata `json:"metadata"`
	Display  struct {
		Levels [][]int  `json:"levels"` // sizes of the smaller copies, the picture itself first
		Shape  []int    `json:"shape"`  // that the screen shows where scoring sees another
		Min    *float64 `json:"calibrated_min"`
		Max    *float64 `json:"calibrated_max"`
	} `json:"display"`

	Members json.RawMessage `json:"members"` // of a ZIP their sizes, of an NPZ its arrays

	// Tables.
	Strict *strictVector `json:"strict"` // record by record
	Table  *tableVector  `json:"display_table"`
	Parsed [][]any       `json:"parsed"`       // as a lineage or as localisations
	Floats [][]any       `json:"python_float"` // the first cells as numbers
	Sheets *sheets       `json:"strict_sheets"`
	Fails  bool          `json:"strict_fails"` // the reference cannot open it or stops while reading it
	Whole  *sheets       `json:"whole_sheets"`
	Shown  *sheets       `json:"display_sheets"`

	Unknown []string `json:"-"` // fields that are none of the above and none of told
}

// told are fields that are for people, or about what no reader here gives: the indices of a palette picture, which all
// readers here turn into colours, and the numbers of packed samples, which are refused by name.
var told = []string{"what", "source", "origin", "bug_rows", "reference_full", "index_sha256", "if_decoded"}

// UnmarshalJSON notes fields that are not known.
func (v *Vector) UnmarshalJSON(b []byte) error {
	type plain Vector
	if err := json.Unmarshal(b, (*plain)(v)); err != nil {
		return err
	}
	if string(v.Members) == "null" {
		v.Members = nil
	}
	if string(v.Probes) == "null" {
		v.Probes = nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for _, name := range told {
		delete(fields, name)
	}
	known, err := json.Marshal((*plain)(v))
	if err != nil {
		return err
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(known, &names); err != nil {
		return err
	}
	for name := range names {
		delete(fields, name)
	}
	v.Unknown = slices.Sorted(maps.Keys(fields))
	return nil
}

// String is a line of a table of variants: outcome, and what the file reads as.
func (v Vector) String() string {
	out := v.Outcome
	if v.Outcome == "error" {
		out = "error: " + v.ErrorKind
	}
	axes, typ := "", ""
	if v.Axes != nil && v.Type != nil {
		axes, typ = *v.Axes, *v.Type
	}
	return strings.TrimRight(fmt.Sprintf("%-18s %-6s %-8s %s", out, axes, typ, strings.Trim(fmt.Sprint(v.Shape), "[]")), " ")
}

type strictVector struct {
	Records     *[][]string `json:"records"`
	Count       *int        `json:"n_records"`
	First, Last [][]string
	Error       string
}

// UnmarshalJSON accepts a last record as well as a list of them.
func (s *strictVector) UnmarshalJSON(b []byte) error {
	var v struct {
		Records *[][]string     `json:"records"`
		Count   *int            `json:"n_records"`
		First   [][]string      `json:"first"`
		Last    json.RawMessage `json:"last"`
		Error   string          `json:"error"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	s.Records, s.Count, s.First, s.Error = v.Records, v.Count, v.First, v.Error
	var one []string
	if json.Unmarshal(v.Last, &one) == nil && one != nil {
		s.Last = [][]string{one}
	} else if v.Last != nil {
		return json.Unmarshal(v.Last, &s.Last)
	}
	return nil
}

type tableVector struct {
	Encoding  string       `json:"encoding"`
	Delimiter string       `json:"delimiter"`
	Decimal   string       `json:"decimal"`
	HasHeader bool         `json:"has_header"`
	Columns   []*string    `json:"columns"`
	Rows      *[][]*string `json:"rows"`
	Count     *int         `json:"n_rows"`
}

// sheets are named tables in their order.
type sheets []struct {
	name string
	rows [][]any
}

func (s *sheets) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	*s = sheets{}
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var rows [][]any
		if err := d.Decode(&rows); err != nil {
			return err
		}
		*s = append(*s, struct {
			name string
			rows [][]any
		}{name.(string), rows})
	}
	return nil
}
