package biabench

import "path/filepath"

// Manifest is deliverable_manifest.json: which file serves which deliverable (spec/contract.md 3.4). It is provenance alone
// and never read back.
type Manifest struct {
	Deliverables []ManifestDeliverable `json:"deliverables"` // declared order
	Rejected     []ManifestRejected    `json:"rejected"`     // order of discovery
}

// ManifestDeliverable lists the files of one deliverable; paths have slashes.
type ManifestDeliverable struct {
	ID       string   `json:"id"`
	Resolved []string `json:"resolved"`
	Present  bool     `json:"present"`
	Err      string   `json:"error,omitempty"`
}

// ManifestRejected is a file that was turned down.
type ManifestRejected struct {
	File        string `json:"file"`
	Reason      string `json:"reason"`
	Deliverable string `json:"deliverable"`
	Code        string `json:"-"`
}

// ManifestOf writes down a resolution. shown, if it is not nil, says how a kept file is called, by its path; else, and where it
// says "", that is its path below root. What lies outside of root, as behind a link, is called by its base name.
func ManifestOf(root string, r Resolution, shown func(path string) string) Manifest {
	m := Manifest{Deliverables: []ManifestDeliverable{}, Rejected: []ManifestRejected{}}
	for _, d := range r.Deliverables {
		entry := ManifestDeliverable{ID: d.Deliverable.ID, Resolved: []string{}, Present: len(d.Files) > 0, Err: d.Err}
		for _, path := range d.Files {
			name := ""
			if shown != nil {
				name = shown(path)
			}
			if name == "" {
				name = nameBelow(root, path)
			}
			entry.Resolved = append(entry.Resolved, name)
		}
		m.Deliverables = append(m.Deliverables, entry)
	}
	for _, f := range r.Rejected {
		m.Rejected = append(m.Rejected, ManifestRejected{nameBelow(root, f.File), f.Reason, f.Deliverable, f.Code})
	}
	return m
}

// nameBelow is a path relative to root with slashes, or its base name where it lies elsewhere.
func nameBelow(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}
