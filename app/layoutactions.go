package app

import (
	"fmt"

	"coverslip/viewer"
)

// layoutActions divide the picture into panes and project planes.
func (w *Workbench) layoutActions() []*action {
	s := w.session
	table := []*action{
		{ID: "next-layout", Name: "Next layout", Menu: "View", Keys: []string{"L"}, Enabled: w.noTable, Divide: true, Run: func() { s.CycleLayout(1) }},
		{ID: "previous-layout", Name: "Previous layout", Menu: "View", Keys: []string{"Shift+L"}, Enabled: w.noTable, Run: func() { s.CycleLayout(-1) }},
		{ID: "other-run", Name: "Compare with the next run", Menu: "View", Keys: []string{"H"}, Run: s.CycleOther,
			Enabled: func() bool { return s.RunCount() > 1 }, Checked: func() bool { return s.View().Other != "" }},
		{ID: "project", Name: "Projection on or off", Menu: "View", Keys: []string{"J"}, Enabled: w.hasPlanes, Run: s.ToggleProjection,
			Checked: w.projects},
	}
	layouts := []struct {
		id, name string
		layout   viewer.Layout
	}{{"one", "One pane", viewer.One}, {"side", "Answer and truth side by side", viewer.Side}, {"curtain", "Curtain", viewer.Curtain},
		{"ortho", "Sections (XY, YZ, XZ)", viewer.Ortho}, {"channel-grid", "Channel grid", viewer.Channels}}
	for i, l := range layouts {
		table = append(table, &action{ID: "layout-" + l.id, Name: l.name, Menu: "View/Layout", Keys: []string{fmt.Sprintf("Ctrl+Shift+%d", i+1)},
			Enabled: func() bool { return w.noTable() && s.HasLayout(l.layout) },
			Run:     func() { s.SetLayout(l.layout) },
			Checked: func() bool { return s.View().Layout == l.layout }})
	}
	return append(table, w.projectionActions()...)
}

func (w *Workbench) hasPlanes() bool {
	shape := w.session.Shape()
	return w.noTable() && (shape.Z > 1 || shape.T > 1)
}

func (w *Workbench) projects() bool { return w.session.View().Project.Kind != viewer.NoProjection }

// slab is how many planes a projection of a part of a stack takes in.
const slab = 5

func (w *Workbench) projectionActions() []*action {
	s := w.session
	kinds := []struct {
		id, name, key string
		kind          viewer.ProjectionKind
	}{{"max", "Maximum", "Ctrl+Shift+X", viewer.MaxProjection}, {"mean", "Mean", "Ctrl+Shift+M", viewer.MeanProjection},
		{"sum", "Sum", "Ctrl+Shift+U", viewer.SumProjection}, {"depth", "Maximum coloured by depth", "Ctrl+Shift+D", viewer.DepthProjection}}
	var table []*action
	for _, k := range kinds {
		table = append(table, &action{ID: "project-" + k.id, Name: k.name, Menu: "View/Projection", Keys: []string{k.key}, Enabled: w.hasPlanes,
			Run: func() {
				p := s.View().Project
				if p.Kind == viewer.NoProjection {
					p.Time = s.Shape().Z < 2
				}
				p.Kind = k.kind
				s.SetProjection(p)
			},
			Checked: func() bool { return s.View().Project.Kind == k.kind }})
	}
	edit := func(change func(p *viewer.Projection)) func() {
		return func() {
			p := s.View().Project
			change(&p)
			s.SetProjection(p)
		}
	}
	return append(table,
		&action{ID: "project-time", Name: "Over time, not over slices", Menu: "View/Projection", Keys: []string{"Ctrl+Shift+T"}, Divide: true,
			Run:     edit(func(p *viewer.Projection) { p.Time = !p.Time }),
			Enabled: func() bool { return w.projects() && s.Shape().T > 1 && s.Shape().Z > 1 },
			Checked: func() bool { return w.projects() && s.View().Project.Time }},
		&action{ID: "project-slab", Name: fmt.Sprintf("Only %d planes around this one", slab), Menu: "View/Projection", Keys: []string{"Shift+J"},
			Run: edit(func(p *viewer.Projection) {
				if p.Span = slab - p.Span; p.Span != slab {
					p.Span = 0
				}
			}),
			Enabled: w.projects, Checked: func() bool { return w.projects() && s.View().Project.Span > 0 }})
}
