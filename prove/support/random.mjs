/** A small seeded generator, so that a seed reproduces a sample: numbers from 0 up to 1. */
export function randomFrom(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const between = (random, least, most) => least + random() * (most - least);
export const oneOf = (random, list) => list[Math.floor(random() * list.length)];
