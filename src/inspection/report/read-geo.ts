import type { Coordinates } from '../pictures/camera.js';
import type { Cover } from './inspection-report.js';

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;

/** Returns the coordinates in `geo`; undefined unless both members are finite and in range. */
export function placeOf(geo: { readonly [name: string]: unknown }): Coordinates | undefined {
  const { latitude, longitude } = geo;
  return isWithin(latitude, 90) && isWithin(longitude, 180) ? { latitude, longitude } : undefined;
}

/** Returns `51.501364, -0.141890` with a map link; undefined if `geo` has no valid coordinates. */
export function readGeo(geo: { readonly [name: string]: unknown }): Cover['location'] {
  const place = placeOf(geo);
  if (!place) return undefined;
  const [north, east] = [degrees(place.latitude), degrees(place.longitude)];
  return { text: `${north}, ${east}`, mapUrl: `https://www.google.com/maps?q=${north},${east}` };
}

/** Formats degrees to six decimals (about ten centimetres), without a minus before zero. */
function degrees(value: number): string {
  const text = value.toFixed(6);
  return Number(text) === 0 ? (0).toFixed(6) : text;
}
