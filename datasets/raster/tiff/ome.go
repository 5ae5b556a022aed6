package tiff

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strings"
)

// The parts of OME-XML that are used (spec/formats.md 1.8.2). Names match in any namespace.
type omeXML struct {
	XMLName xml.Name `xml:"OME"`
	UUID    string   `xml:"UUID,attr"`
	Binary  *struct {
		File string `xml:"MetadataFile,attr"`
	} `xml:"BinaryOnly"`
	Images []struct {
		Name   string      `xml:"Name,attr"`
		Pixels []omePixels `xml:"Pixels"`
	} `xml:"Image"`
}

type omePixels struct {
	Order    string        `xml:"DimensionOrder,attr"`
	X        int           `xml:"SizeX,attr"`
	Y        int           `xml:"SizeY,attr"`
	Z        int           `xml:"SizeZ,attr"`
	C        int           `xml:"SizeC,attr"`
	T        int           `xml:"SizeT,attr"`
	Type     string        `xml:"Type,attr"`
	Bits     int           `xml:"SignificantBits,attr"`
	StepX    string        `xml:"PhysicalSizeX,attr"`
	StepY    string        `xml:"PhysicalSizeY,attr"`
	StepZ    string        `xml:"PhysicalSizeZ,attr"`
	UnitX    string        `xml:"PhysicalSizeXUnit,attr"`
	UnitY    string        `xml:"PhysicalSizeYUnit,attr"`
	UnitZ    string        `xml:"PhysicalSizeZUnit,attr"`
	StepT    string        `xml:"TimeIncrement,attr"`
	UnitT    string        `xml:"TimeIncrementUnit,attr"`
	Channels []omeChannel  `xml:"Channel"`
	Data     []omeTiffData `xml:"TiffData"`
	Planes   []omePlane    `xml:"Plane"`
}

type omeChannel struct {
	Name    string `xml:"Name,attr"`
	Colour  string `xml:"Color,attr"`
	Samples int    `xml:"SamplesPerPixel,attr"`
}

type omeTiffData struct {
	IFD    *int `xml:"IFD,attr"`
	Z      int  `xml:"FirstZ,attr"`
	C      int  `xml:"FirstC,attr"`
	T      int  `xml:"FirstT,attr"`
	Planes *int `xml:"PlaneCount,attr"`
	UUID   *struct {
		File string `xml:"FileName,attr"`
		Text string `xml:",chardata"`
	} `xml:"UUID"`
}

type omePlane struct {
	C     int    `xml:"TheC,attr"`
	Z     int    `xml:"TheZ,attr"`
	T     int    `xml:"TheT,attr"`
	Delta string `xml:"DeltaT,attr"`
	Unit  string `xml:"DeltaTUnit,attr"`
}

// ome reads files whose description is OME-XML. Missing planes are zero, axes of length 1 are dropped. XML that cannot
// be used leaves the file to the next flavour.
func (f *File) ome(g *Group, text string, sibling Sibling) bool {
	trimmed := strings.TrimSpace(text)
	if !strings.HasSuffix(trimmed, "</OME>") && !strings.HasSuffix(trimmed, ":OME>") && !strings.HasPrefix(trimmed, "<OME") &&
		!(strings.HasPrefix(trimmed, "<?xml") && strings.Contains(trimmed, "OME")) {
		return false
	}
	var doc omeXML
	if err := decodeXML(trimmed, &doc); err != nil {
		g.Notes = append(g.Notes, "the OME-XML cannot be read, the pages are taken as they are: "+err.Error())
		return false
	}
	if doc.Binary != nil {
		g.Notes = append(g.Notes, fmt.Sprintf("the OME-XML is in the companion file %s, the pages are taken as they are", doc.Binary.File))
		return false
	}
	set := omeSet{self: f, own: doc.UUID, open: sibling, files: map[string]*File{}}
	for i, image := range doc.Images {
		for _, px := range image.Pixels {
			s, notes := set.series(px)
			if i == 0 || s == nil {
				g.Notes = append(g.Notes, notes...)
			}
			if s == nil {
				if len(g.Series) == 0 {
					return false
				}
				continue
			}
			if len(g.Series) == 0 {
				g.Meta.takeOME(px)
			}
			s.Name = image.Name
			g.Series = append(g.Series, *s)
		}
	}
	if len(g.Series) == 0 {
		g.Notes = append(g.Notes, "the OME-XML describes no image, the pages are taken as they are")
		return false
	}
	g.Flavour = "OME"
	return true
}

// maxDepth is how deep XML may be nested; OME-XML needs a dozen.
const maxDepth = 64

// shallow passes XML on until it is nested too deep.
type shallow struct {
	d     *xml.Decoder
	depth int
}

// Token is the next piece of XML.
func (s *shallow) Token() (xml.Token, error) {
	t, err := s.d.RawToken()
	switch t.(type) {
	case xml.StartElement:
		if s.depth++; s.depth > maxDepth {
			return nil, fmt.Errorf("elements nested deeper than %d", maxDepth)
		}
	case xml.EndElement:
		s.depth--
	}
	return t, err
}

func decodeXML(text string, to any) error {
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return xml.NewTokenDecoder(&shallow{d: d}).Decode(to)
}

// omeSet is the files that one OME-XML speaks of.
type omeSet struct {
	self  *File
	own   string
	open  Sibling
	files map[string]*File // by name; nil for missing ones
}

// maxSiblings is how many files of a set are opened beside the one that was asked for.
const maxSiblings = 256

// maxPlanes is how many planes an OME-XML may announce.
const maxPlanes = 1 << 24

// series makes the series of one Pixels element. It gives nil, and why, when the element does not fit the pages.
func (o *omeSet) series(px omePixels) (*Series, []string) {
	order := px.Order
	size := map[byte]int{'Z': px.Z, 'C': px.C, 'T': px.T}
	if len(order) != 5 || !strings.HasPrefix(order, "XY") || strings.Trim(order[2:], "ZCT") != "" || px.Z < 1 || px.C < 1 || px.T < 1 {
		return nil, []string{fmt.Sprintf("the OME-XML gives no usable sizes (order %q), the pages are taken as they are", order)}
	}
	spp := 1
	if len(px.Channels) > 0 && px.Channels[0].Samples > 1 {
		spp = px.Channels[0].Samples
		size['C'] = max(px.C/spp, 1)
	}
	axes := string([]byte{order[4], order[3], order[2]})
	lead := []int{size[axes[0]], size[axes[1]], size[axes[2]]}
	total := product(lead...)
	if total > maxPlanes {
		return nil, []string{fmt.Sprintf("the OME-XML announces %d planes, the pages are taken as they are", total)}
	}
	frames, notes, surplus := o.frames(px, axes, lead)
	s := &Series{Kind: "OME", Frames: Frames{Pages: frames}}
	key := s.First().Page
	if key == nil {
		return nil, append(notes, "the OME-XML points to no page of this file, the pages are taken as they are")
	}
	l := key.Layout
	if l.Width != px.X || l.Height != px.Y {
		return nil, []string{fmt.Sprintf("the OME-XML says %d x %d pixels, the pages have %d x %d and are taken as they are", px.X, px.Y, l.Width, l.Height)}
	}
	if spp == 1 && l.Samples > 1 && size['C']%l.Samples == 0 { // samples counted as channels without saying so
		size['C'] /= l.Samples
		lead = []int{size[axes[0]], size[axes[1]], size[axes[2]]}
		total = product(lead...)
	}
	if total < len(frames) {
		frames = frames[:total]
	}
	if px.Type != "" && !typeAgrees(px.Type, l) {
		notes = append(notes, fmt.Sprintf("the OME-XML says type %s, the pages have %s", px.Type, l.Type))
	}
	if surplus > 0 {
		notes = append(notes, fmt.Sprintf("%d surplus planes that the OME-XML does not speak of", surplus))
	}
	missing := 0
	for i, fr := range frames {
		if fr.Page == nil || sameFrames(fr.Page.Layout) != sameFrames(l) {
			frames[i] = Frame{}
			missing++
		}
	}
	if missing > 0 {
		notes = append(notes, fmt.Sprintf("%d missing planes read as zero", missing))
	}
	shape, letters := l.Shape()
	s.Layout, s.Frames = l, Frames{Count: len(frames), Pages: frames}
	s.Lead, s.LeadAxes = dropOnes(lead, axes)
	s.Shape, s.Axes, s.Type = append(append([]int(nil), s.Lead...), shape...), s.LeadAxes+letters, l.Type
	return s, notes
}

// frames maps planes to pages by the TiffData blocks. surplus counts pages of this file that no block asks for.
func (o *omeSet) frames(px omePixels, axes string, lead []int) (frames []Frame, notes []string, surplus int) {
	total := product(lead...)
	frames = make([]Frame, total)
	asked := 0
	for _, d := range px.Data {
		first := map[byte]int{'Z': d.Z, 'C': d.C, 'T': d.T}
		at := 0
		for i := range lead {
			k := first[axes[i]]
			if k < 0 || k >= lead[i] {
				at = -1
				break
			}
			at = at*lead[i] + k
		}
		file, note := o.file(d)
		if note != "" {
			notes = append(notes, note)
		}
		if at < 0 || file == nil {
			continue
		}
		ifd, count := 0, len(file.Pages)
		if d.IFD != nil {
			ifd, count = *d.IFD, 1
		}
		if d.Planes != nil && *d.Planes > 0 {
			count = *d.Planes
		}
		asked += count
		for i := 0; i < count && at+i < total && ifd >= 0 && ifd+i < len(file.Pages); i++ {
			frames[at+i] = Frame{File: file, Page: file.Pages[ifd+i]}
		}
	}
	if o.alone() {
		surplus = max(len(o.self.Pages)-total, 0)
	}
	return frames, notes, surplus
}

func (o *omeSet) alone() bool { return len(o.files) == 0 }

// file finds the file that a block points to: this one, or one beside it. Folders in the name are ignored.
func (o *omeSet) file(d omeTiffData) (*File, string) {
	if d.UUID == nil || d.UUID.File == "" || o.own != "" && strings.TrimSpace(d.UUID.Text) == o.own {
		return o.self, ""
	}
	name := path.Base(strings.ReplaceAll(d.UUID.File, `\`, "/"))
	if name == path.Base(strings.ReplaceAll(o.self.name, `\`, "/")) {
		return o.self, ""
	}
	if f, ok := o.files[name]; ok {
		return f, ""
	}
	if name != d.UUID.File || o.open == nil || len(o.files) > maxSiblings { // never leave the file's own folder
		o.files[name] = nil
		return nil, name + " is missing"
	}
	f, err := o.open(name)
	if err != nil {
		f = nil
	}
	o.files[name] = f
	if f == nil {
		return nil, name + " is missing"
	}
	return f, ""
}

// typeAgrees compares OME's name of an element type with the pages'.
func typeAgrees(name string, l *Layout) bool {
	switch name {
	case "float":
		return l.Type.String() == "float32"
	case "double":
		return l.Type.String() == "float64"
	case "bit":
		return l.Bits == 1
	}
	return name == l.Type.String()
}
