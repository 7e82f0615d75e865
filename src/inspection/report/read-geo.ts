import type { Cover } from './inspection-report.js';

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;

/** `51.501364, -0.141890` and a link to that place on a map; undefined unless both are finite and in range. */
export function readGeo(geo: { readonly [name: string]: unknown }): Cover['location'] {
  const { latitude, longitude } = geo;
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return undefined;
  const [north, east] = [degrees(latitude), degrees(longitude)];
  return { text: `${north}, ${east}`, mapUrl: `https://www.google.com/maps?q=${north},${east}` };
}

/** Six decimals, about ten centimetres; never a minus before zero. */
function degrees(value: number): string {
  const text = value.toFixed(6);
  return Number(text) === 0 ? (0).toFixed(6) : text;
}
