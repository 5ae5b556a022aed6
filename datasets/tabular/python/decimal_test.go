package python

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// sameFloat fails unless a text is read by Float as it is without Decimal, to the last bit; whatever of it Decimal takes
// must be a number of its own.
func sameFloat(t *testing.T, text string) {
	t.Helper()
	got, ok := Float(text)
	want, wantOK := slowFloat(text)
	if ok != wantOK || math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%q: %v %v, expected %v %v", text, got, ok, want, wantOK)
	}
	v, length := Decimal(text)
	if length == 0 {
		return
	}
	if want, ok := slowFloat(text[:length]); !ok || math.Float64bits(v) != math.Float64bits(want) {
		t.Fatalf("%q: %v of the first %d bytes, expected %v %v", text, v, length, want, ok)
	}
}

// TestDecimal: numbers of every length, with the point at every place and an exponent, are those of the standard library.
func TestDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 7))
	for range 50000 {
		digits := strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)
		point := rng.IntN(len(digits) + 1)
		pointed := digits[:point] + "." + digits[point:]
		scientific := pointed + "e" + strconv.Itoa(rng.IntN(80)-40)
		for _, text := range []string{digits, pointed, "-" + digits, "-" + pointed, "+." + digits, scientific, strings.ToUpper(scientific),
			strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64), strconv.FormatFloat(rng.ExpFloat64()*1e5, 'e', 18, 64)} {
			want, _ := strconv.ParseFloat(text, 64)
			if got, ok := Float(text); !ok || math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%s: %v %v, expected %v", text, got, ok, want)
			}
			sameFloat(t, text)
		}
	}
	for _, text := range []string{"-0.00", "0e999", "0e9999", "1e+022", "9999999999999999999", "10000000000000000000", "99999999999999999999", "1.8446744073709551617", "18446744073709551616", strings.Repeat("7", 40), "1e", "1e+", "1x", "1e-400", "1e400", ".", "-", "-.", "+.e1", ".e5", "1.e5", "1_0", "1 "} {
		sameFloat(t, text)
	}
}

// TestDecimalHalfway: quotients just at and beside the middle between two doubles, where a rounding goes wrong first.
func TestDecimalHalfway(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for range 100000 {
		middle := 1<<53 | rng.Uint64()>>11 | 1 // 54 bits
		behind := rng.IntN(19)
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(behind)), nil)
		whole := new(big.Int).Mul(new(big.Int).SetUint64(middle), scale)
		whole.Rsh(whole, uint(max(0, whole.BitLen()-60-rng.IntN(4))))
		if five := uint64(1); rng.IntN(2) == 0 { // just the middle: middle / 2^behind
			behind = rng.IntN(5)
			for range behind {
				five *= 5
			}
			whole.SetUint64(middle * five)
		}
		for step := int64(-1); step <= 1; step++ {
			n := new(big.Int).Add(whole, big.NewInt(step)).Uint64()
			if n == 0 {
				continue
			}
			want, _ := strconv.ParseFloat(strconv.FormatUint(n, 10)+"e-"+strconv.Itoa(behind), 64)
			if got := quotient(n, wholePowers[behind]); got != want {
				t.Fatalf("%d / 10^%d: %v, expected %v", n, behind, got, want)
			}
		}
	}
}

// TestDecimalOddTexts: random strings of the characters that numbers are made of, and a few others.
func TestDecimalOddTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 19))
	for range 200000 {
		b := make([]byte, rng.IntN(24))
		for i := range b {
			b[i] = "00123456789999....eE+-_ \tn,"[rng.IntN(27)]
		}
		sameFloat(t, string(b))
	}
}

// FuzzDecimal: as above.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"1", "-12.5", "1.2345678901234567", "9.5e-3", "1_0", " 7 ", "nan", "-infinity", "１２.5", "9007199254740993", "0.30000000000000004"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameFloat(t, s) })
}

func BenchmarkFloat(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var short, long []string
	for range 1000 {
		short = append(short, strconv.FormatFloat(rng.Float64()*250, 'f', 4, 64))
		long = append(long, strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64))
	}
	for _, c := range []struct {
		name  string
		texts []string
		read  func(string) (float64, bool)
	}{{"short", short, Float}, {"long", long, Float}, {"slow-short", short, slowFloat}, {"slow-long", long, slowFloat}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				for _, s := range c.texts {
					c.read(s)
				}
			}
		})
	}
}
