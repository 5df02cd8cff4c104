package cardpit;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random numbers from a seed: xoshiro128** 1.1 by Blackman and Vigna, the same numbers in every kit.
 *
 * <p>Its state is the first 16 bytes of the seed, as four numbers, big end first.
 */
public final class Random implements RandomGenerator {
    private int a;
    private int b;
    private int c;
    private int d;

    /**
     * Makes the numbers of a seed.
     *
     * @throws IllegalArgumentException for a seed of less than 16 bytes, or one that begins with 16 zeros
     */
    public Random(byte[] seed) {
        if (seed.length >= 16) {
            ByteBuffer words = ByteBuffer.wrap(seed);
            a = words.getInt();
            b = words.getInt();
            c = words.getInt();
            d = words.getInt();
        }
        if ((a | b | c | d) == 0) {
            throw new IllegalArgumentException(
                    "a seed of " + seed.length + " bytes: at least 16 are needed, the first 16 not all zero");
        }
    }

    /** Returns 32 random bits. */
    @Override
    public int nextInt() {
        int bits = Integer.rotateLeft(b * 5, 7) * 9;
        int shifted = b << 9;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = Integer.rotateLeft(d, 11);
        return bits;
    }

    /** Returns 64 random bits: two numbers, the first in the upper half. */
    @Override
    public long nextLong() {
        long upper = nextInt();
        return upper << 32 | Integer.toUnsignedLong(nextInt());
    }

    /**
     * Returns a number from 0 to {@code bound - 1}, each as likely as the others.
     *
     * @throws IllegalArgumentException unless {@code bound} is 1 to 2^32
     */
    public long below(long bound) {
        long all = 1L << 32;
        if (bound < 1 || bound > all) {
            throw new IllegalArgumentException("a number below " + bound + ": allowed is a bound of 1 to 2^32");
        }
        long limit = all - all % bound;
        while (true) {
            long value = Integer.toUnsignedLong(nextInt());
            if (value < limit) {
                return value % bound;
            }
        }
    }

    /** Returns the place of one of so many items, from 0, each as likely as the others. */
    public int place(int items) {
        return (int) below(items);
    }

    /** Puts the items into a random order, each order as likely as the others. */
    public void shuffle(List<?> items) {
        for (int last = items.size() - 1; last > 0; last--) {
            Collections.swap(items, last, place(last + 1));
        }
    }
}
