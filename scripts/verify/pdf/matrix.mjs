/** Transformations `[a, b, c, d, e, f]` and boxes `[left, bottom, right, top]`, as in PDF. */
export const IDENTITY = [1, 0, 0, 1, 0, 0];

export const isMatrix = (value) =>
  Array.isArray(value) && value.length === 6 && value.every((one) => Number.isFinite(one));

/** First `one`, then `other`. */
export const product = ([a, b, c, d, e, f], [A, B, C, D, E, F]) => [
  a * A + b * C,
  a * B + b * D,
  c * A + d * C,
  c * B + d * D,
  e * A + f * C + E,
  e * B + f * D + F,
];

/** Returns the bounding box of points, given as numbers in pairs. */
export function around(numbers) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [x, y] = [numbers[at], numbers[at + 1]];
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** Returns the bounding box of a transformed rectangle. */
export const mapped = ([left, bottom, right, top], [a, b, c, d, e, f]) =>
  around(
    [
      [left, bottom],
      [left, top],
      [right, bottom],
      [right, top],
    ].flatMap(([x, y]) => [a * x + c * y + e, b * x + d * y + f]),
  );

export const grown = ([left, bottom, right, top], by) => [left - by, bottom - by, right + by, top + by];

/** Extent in points up to which an overlap does not count. */
const NOTHING = 0.5;

export const overlap = (one, other) =>
  Math.min(one[2], other[2]) - Math.max(one[0], other[0]) > NOTHING &&
  Math.min(one[3], other[3]) - Math.max(one[1], other[1]) > NOTHING;

const areaOf = ([left, bottom, right, top]) => (right - left) * (top - bottom);

/** Returns the part of a box that another covers, from 0 to 1. */
export function sharedPart(box, other) {
  const [left, bottom] = [Math.max(box[0], other[0]), Math.max(box[1], other[1])];
  const [right, top] = [Math.min(box[2], other[2]), Math.min(box[3], other[3])];
  return right > left && top > bottom ? areaOf([left, bottom, right, top]) / areaOf(box) : 0;
}
