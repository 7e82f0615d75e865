import { DateTime } from 'luxon';
import type { Camera } from '../../api/inspections.js';
import type { Warning } from '../../common/warnings.js';
import type { Coordinates } from '../pictures/camera.js';

const DAY_MS = 86_400_000;
const FAR_METRES = 1000;
const EARTH_METRES = 6_371_000;

/**
 * Returns warnings if a picture's EXIF data contradicts the call (contract section 5): more than a day from the
 * photograph's instant (epoch milliseconds), or more than a kilometre from the property if its position is known.
 */
export function cameraDifferences(
  camera: Camera | undefined,
  { capturedAt, property }: { capturedAt: number; property: Coordinates | undefined },
): Pick<Warning, 'code' | 'message'>[] {
  const taken = camera?.time === undefined ? undefined : instantOf(camera.time);
  const far = camera?.place && property && metresBetween(camera.place, property) > FAR_METRES;
  return [
    ...(taken !== undefined && Math.abs(taken - capturedAt) > DAY_MS ? [TIME_DIFFERS] : []),
    ...(far ? [PLACE_DIFFERS] : []),
  ];
}

const TIME_DIFFERS = {
  code: 'camera_time_differs',
  message:
    'The camera’s own clock is more than a day from the time of this photograph: check that it was taken at this inspection.',
};

const PLACE_DIFFERS = {
  code: 'place_differs',
  message:
    'The picture says that it was taken more than 1 km from the property: check that it belongs to this inspection.',
};

/** Returns the instant of a camera time; without an offset it is UK civil time. Undefined for an invalid time. */
function instantOf(time: string): number | undefined {
  const instant = DateTime.fromISO(time, { zone: 'Europe/London' });
  return instant.isValid ? instant.toMillis() : undefined;
}

/** Returns the great-circle distance, which is accurate to half a percent. */
function metresBetween(one: Coordinates, other: Coordinates): number {
  const [north, east] = [one.latitude - other.latitude, one.longitude - other.longitude].map(radians);
  const chord =
    Math.sin(north! / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east! / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
