package biabench

import (
	"fmt"
	"strings"
)

// Spec is task_spec.yaml.
type Spec struct {
	TaskID            string
	Input             map[string]any // imaging_modality, spatial_dimensions, pixel_size_um ...; nil if null or no mapping
	InputKeys         []string       // keys of Input in file order
	Primary           string         // task_logic.primary_task
	Basic, Expert     string         // instructions
	Deliverables      []Deliverable
	SpatialDimensions string // input.spatial_dimensions as text
	Raw               string // the file as it is, for display
}

// ThreeD tells a volume task the way the scorer does (spec/scorers-segmentation-tracking.md 2.1).
func (s Spec) ThreeD() bool { return strings.HasPrefix(trim(s.SpatialDimensions), "3") }

// ReadSpec parses and checks a task_spec.yaml text (spec/contract.md 2). file is for messages. What the reference
// accepts is accepted, what it refuses is a fault.Malformed with key and line.
func ReadSpec(file string, text []byte) (Spec, error) {
	root, err := parseYAML(file, text)
	if err != nil {
		return Spec{}, err
	}
	top := place{file: file, item: root}
	if root.value == nil {
		return Spec{}, top.refuse("an empty file", "a task description: task_id, input, task_logic, deliverables")
	}
	if _, err := top.mapping(); err != nil {
		return Spec{}, err
	}
	s := Spec{Raw: string(text)}
	if s.TaskID, err = top.memberText("task_id"); err != nil {
		return Spec{}, err
	}
	if extra, ok := top.optional("evaluation"); ok {
		return Spec{}, extra.refuse("a key that must not be here", "evaluation settings in "+RubricFile+", which agents do not see")
	}
	if err := s.readInput(top); err != nil {
		return Spec{}, err
	}
	if err := s.readLogic(top); err != nil {
		return Spec{}, err
	}
	s.Deliverables, err = readDeliverables(top)
	if err != nil {
		return Spec{}, err
	}
	return s, nil
}

// readInput keeps the free-form description of the input; only its presence is required.
func (s *Spec) readInput(top place) error {
	input, err := top.member("input")
	if err != nil {
		return err
	}
	m, ok := input.value.(*mapping)
	if !ok {
		return nil
	}
	s.Input, s.InputKeys = m.plain(), m.keys()
	if e, ok := m.get("spatial_dimensions"); ok && e.value != nil {
		s.SpatialDimensions = KeyText(plain(e.value))
	}
	return nil
}

func (s *Spec) readLogic(top place) error {
	logic, err := top.member("task_logic")
	if err != nil {
		return err
	}
	m, err := logic.mapping()
	if err != nil {
		return err
	}
	if s.Basic, err = logic.memberText("basic_instructions"); err != nil {
		return err
	}
	if s.Expert, err = logic.memberText("expert_instructions"); err != nil {
		return err
	}
	if e, ok := m.get("primary_task"); ok {
		s.Primary, _ = e.value.(string)
	}
	return nil
}

// Deliverable is one declared output, defaults filled in.
type Deliverable struct {
	ID, Description, Pattern string
	Required, Multi          bool
	Columns                  []string
	Format                   *string // nil: none
}

func readDeliverables(top place) ([]Deliverable, error) {
	all, ok := top.optional("deliverables")
	if !ok || all.value == nil {
		return nil, nil
	}
	list, ok := all.value.([]item)
	if !ok {
		return nil, all.refuse(Describe(all.value), "a list of deliverables")
	}
	seen := map[string]int{}
	var out []Deliverable
	for i, x := range list {
		p := all.element(i, x)
		d, err := readDeliverable(p)
		if err != nil {
			return nil, err
		}
		if first, twice := seen[d.ID]; twice {
			id, _ := p.optional("id")
			return nil, id.refuse(fmt.Sprintf("the id %q of deliverables[%d] again", d.ID, first), "a different id for each deliverable")
		}
		seen[d.ID] = i
		out = append(out, d)
	}
	return out, nil
}

func readDeliverable(p place) (d Deliverable, err error) {
	if _, err = p.mapping(); err != nil {
		return d, err
	}
	if err = p.onlyKeys("id", "description", "filename_pattern", "required", "multi", "required_columns", "format"); err != nil {
		return d, err
	}
	for _, field := range []struct {
		key string
		to  *string
	}{{"id", &d.ID}, {"description", &d.Description}, {"filename_pattern", &d.Pattern}} {
		if *field.to, err = p.memberText(field.key); err != nil {
			return d, err
		}
		*field.to = trim(*field.to)
	}
	if !isID(d.ID) {
		id, _ := p.optional("id")
		return d, id.refuse(fmt.Sprintf("%q", d.ID), "letters, digits, _ and - only")
	}
	if d.Required, err = p.boolean("required", true); err != nil {
		return d, err
	}
	if d.Multi, err = p.boolean("multi", false); err != nil {
		return d, err
	}
	if d.Columns, err = readColumns(p); err != nil {
		return d, err
	}
	if f, ok := p.optional("format"); ok && f.value != nil {
		text, isText := f.value.(string)
		if !isText {
			return d, f.refuse(Describe(f.value), "text")
		}
		d.Format = &text
	}
	return d, nil
}

// isID tells a text of letters, digits, _ and - with at least one letter or digit.
func isID(id string) bool {
	core := strings.NewReplacer("_", "", "-", "").Replace(id)
	return core != "" && strings.IndexFunc(core, func(r rune) bool { return !isWordy(r) }) < 0
}

func readColumns(p place) ([]string, error) {
	all, ok := p.optional("required_columns")
	if !ok || all.value == nil {
		return nil, nil
	}
	list, ok := all.value.([]item)
	if !ok {
		return nil, all.refuse(Describe(all.value), "a list of column names")
	}
	var columns []string
	for i, x := range list {
		s, err := all.element(i, x).text()
		if err != nil {
			return nil, err
		}
		columns = append(columns, trim(s))
	}
	return columns, nil
}
