package tiff

// Tags (spec/formats.md 1.2).
const (
	tagNewSubfileType   = 254
	tagImageWidth       = 256
	tagImageLength      = 257
	tagBitsPerSample    = 258
	tagCompression      = 259
	tagPhotometric      = 262
	tagFillOrder        = 266
	tagImageDescription = 270
	tagStripOffsets     = 273
	tagOrientation      = 274
	tagSamplesPerPixel  = 277
	tagRowsPerStrip     = 278
	tagStripByteCounts  = 279
	tagXResolution      = 282
	tagYResolution      = 283
	tagPlanarConfig     = 284
	tagT4Options        = 292
	tagResolutionUnit   = 296
	tagSoftware         = 305
	tagPredictor        = 317
	tagColorMap         = 320
	tagTileWidth        = 322
	tagTileLength       = 323
	tagTileOffsets      = 324
	tagTileByteCounts   = 325
	tagSubIFDs          = 330
	tagExtraSamples     = 338
	tagSampleFormat     = 339
	tagJPEGTables       = 347
	tagYCbCrSubSampling = 530
	tagImageDepth       = 32997
	tagTileDepth        = 32998
	tagSTK1             = 33628 // MetaMorph: the tag that the reference's reader goes by (spec/formats.md 13.5)
	tagSTK2             = 33629
	tagLSM              = 34412
	tagImageJCounts     = 50838
	tagImageJData       = 50839
)

// Field types of directory entries.
const (
	kindByte = iota + 1
	kindASCII
	kindShort
	kindLong
	kindRational
	kindSByte
	kindUndefined
	kindSShort
	kindSLong
	kindSRational
	kindFloat
	kindDouble
	kindIFD

	kindLong8  = 16
	kindSLong8 = 17
	kindIFD8   = 18
)

// kindSize is the bytes of one value by field type; 0 for types that are not known.
var kindSize = [...]int{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8}

// Compression schemes (spec/formats.md 1.4).
const (
	codecNone       = 1
	codecCCITT      = 2
	codecCCITT3     = 3
	codecCCITT4     = 4
	codecLZW        = 5
	codecOldJPEG    = 6
	codecJPEG       = 7
	codecDeflate    = 8
	codecOldDeflate = 32946
	codecPackBits   = 32773
	codecLZMA       = 34925
	codecZSTD       = 50000
	codecWebP       = 50001
	codecOldWebP    = 34927
	codecOldZSTD    = 34926
)

// Photometric interpretations (spec/formats.md 1.5).
const (
	photoMinIsWhite = 0
	photoMinIsBlack = 1
	photoRGB        = 2
	photoPalette    = 3
	photoMask       = 4
	photoCMYK       = 5
	photoYCbCr      = 6
)

// Sample formats.
const (
	formatUint = 1 + iota
	formatInt
	formatFloat
	formatVoid
	formatComplexInt
	formatComplexFloat
)
