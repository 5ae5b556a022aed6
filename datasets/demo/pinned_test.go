package demo

// pinned are the digests of TestSameFilesEverywhere, for Version 2.
var pinned = map[string]string{
	"he-nuinsseg-nuclear-segmentation":               "69f7385532c942df",
	"3d-fluo-cell-segmentation-lateral-line-idr0079": "5d3bf60607f3dbcb",
	"phase-contrast-bacteria-tracking-toiam":         "d570579fc209f65a",
	"fluo-cell-counting-2d-cellfmcount":              "6ee81cae105dbc84",
	"smlm-localization-dnapaint":                     "d0a972428a5d1957",
	"cytoplasm-nucleus-translocation-bbbc014":        "969b0fd4f7492e19",
	"microglia-phenotype-progression-bbbc054":        "13bc560dcd17f4ff",
	"wound-healing-speed-kymograph-gigadb100118":     "15b4c6ab7fc604c4",
	"5D-npc-assembly-kinetics-idr0115":               "c951c195fe39f16e",
	"confocal-mosaic-4channel-stitching-ctc-model":   "02f03caba08aa2d3",
	"sim-microtubules-segmentation":                  "c7f400540f97b80c",
	"3d-light-sheet-brain-vessels":                   "845a9fdb05ca0274",
	"3d-confocal-puncta-quantification-sbiad1556":    "ace0b7366bb7036f",
	"fluo-dna-repair-foci-colocalization-sbsst227":   "424dae2c5503d2fb",
	"fluo-coronavirus-golgi-colocalization":          "2915b672892a5f58",
	"fluo-helacytonuc-cell-segmentation":             "f64b1ec352bd15bd",
}
