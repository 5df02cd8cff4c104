/**
 * Random numbers from a seed: xoshiro128** 1.1 by Blackman and Vigna, the same numbers in every kit.
 *
 * Its state is the first 16 bytes of the seed, as four numbers, big end first.
 */
export class Random {
  readonly #state = new Uint32Array(4);

  /** Throws a RangeError for a seed of less than 16 bytes, or one that begins with 16 zeros. */
  constructor(seed: Uint8Array) {
    if (seed.length < 16 || !seed.subarray(0, 16).some((byte) => byte !== 0)) {
      throw new RangeError(`a seed of ${seed.length} bytes: at least 16 are needed, the first 16 not all zero`);
    }
    const view = new DataView(seed.buffer, seed.byteOffset, seed.length);
    this.#state.forEach((_, word) => (this.#state[word] = view.getUint32(4 * word)));
  }

  /** Returns a whole number from 0 to 2^32 - 1. */
  next(): number {
    const [a, b, c, d] = this.#state as unknown as [number, number, number, number];
    const mixed = Math.imul(b, 5);
    this.#state[2] = c ^ a ^ (b << 9);
    this.#state[3] = rotate(d ^ b, 11);
    this.#state[1] = b ^ c ^ a;
    this.#state[0] = a ^ d ^ b;
    return Math.imul(rotate(mixed, 7), 9) >>> 0;
  }

  /** Returns a whole number from 0 to `bound - 1`, each as likely as the others; `bound` is 1 to 2^32. */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(`a number below ${bound}: allowed is a bound of 1 to 2^32`);
    }
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const value = this.next();
      if (value < limit) {
        return value % bound;
      }
    }
  }

  /** Returns one of the items, each as likely as the others. */
  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Puts the items into a random order, each order as likely as the others. */
  shuffle<T>(items: T[]): void {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other] as T, items[last] as T];
    }
  }
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
