package session

// titles are short names of the benchmark's tasks, for lists.
var titles = map[string]string{
	"3d-confocal-puncta-quantification-sbiad1556":    "3-D puncta per nucleus",
	"3d-fluo-cell-segmentation-lateral-line-idr0079": "Lateral line cells, 3-D",
	"3d-light-sheet-brain-vessels":                   "Brain vessels, light sheet",
	"5D-npc-assembly-kinetics-idr0115":               "Nuclear pore kinetics",
	"confocal-mosaic-4channel-stitching-ctc-model":   "Confocal mosaic stitching",
	"cytoplasm-nucleus-translocation-bbbc014":        "NF-kB translocation plate",
	"fluo-cell-counting-2d-cellfmcount":              "Cell counting",
	"fluo-coronavirus-golgi-colocalization":          "Golgi colocalisation",
	"fluo-dna-repair-foci-colocalization-sbsst227":   "DNA repair foci",
	"fluo-helacytonuc-cell-segmentation":             "HeLa nuclei and cells",
	"he-nuinsseg-nuclear-segmentation":               "H&E nuclei",
	"microglia-phenotype-progression-bbbc054":        "Microglia phenotypes",
	"phase-contrast-bacteria-tracking-toiam":         "Bacteria lineages",
	"sim-microtubules-segmentation":                  "Microtubules, SIM",
	"smlm-localization-dnapaint":                     "DNA-PAINT localisations",
	"wound-healing-speed-kymograph-gigadb100118":     "Wound healing kymographs",
}

// TitleOf is a task's short name, or its id where the task is not one of the benchmark's.
func TitleOf(id string) string {
	if t, ok := titles[id]; ok {
		return t
	}
	return id
}
