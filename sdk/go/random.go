package cardpit

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Random draws numbers from a seed: xoshiro128** 1.1 by Blackman and Vigna, the same numbers in every kit.
type Random struct {
	a, b, c, d uint32
}

// NewRandom returns the numbers of a seed. Its state is the first 16 bytes of the seed, as four numbers, big end first.
// It panics for a seed of less than 16 bytes, or one that begins with 16 zeros.
func NewRandom(seed []byte) *Random {
	if len(seed) >= 16 {
		word := func(place int) uint32 { return binary.BigEndian.Uint32(seed[4*place:]) }
		if r := (Random{word(0), word(1), word(2), word(3)}); r != (Random{}) {
			return &r
		}
	}
	panic(fmt.Sprintf("cardpit: a seed of %d bytes: at least 16 are needed, the first 16 not all zero", len(seed)))
}

// Uint32 returns a number from 0 to 2^32 - 1. With Uint64 it makes the numbers a source for math/rand/v2.
func (r *Random) Uint32() uint32 {
	number := bits.RotateLeft32(r.b*5, 7) * 9
	shifted := r.b << 9
	r.c ^= r.a
	r.d ^= r.b
	r.b ^= r.c
	r.a ^= r.d
	r.c ^= shifted
	r.d = bits.RotateLeft32(r.d, 11)
	return number
}

// Uint64 returns two numbers in one, the first in the upper half.
func (r *Random) Uint64() uint64 {
	upper := uint64(r.Uint32())
	return upper<<32 | uint64(r.Uint32())
}

// Below returns a number from 0 to bound - 1, each as likely as the others. It panics unless bound is 1 to 2^32.
func (r *Random) Below(bound int) int {
	if bound < 1 || bound > 1<<32 {
		panic(fmt.Sprintf("cardpit: a number below %d: allowed is a bound of 1 to 2^32", bound))
	}
	limit := 1<<32 - (1<<32)%uint64(bound)
	for {
		if value := uint64(r.Uint32()); value < limit {
			return int(value % uint64(bound))
		}
	}
}

// Shuffle puts n things into a random order, each order as likely as the others; swap exchanges two of them.
func (r *Random) Shuffle(n int, swap func(i, j int)) {
	for last := n - 1; last > 0; last-- {
		swap(last, r.Below(last+1))
	}
}
