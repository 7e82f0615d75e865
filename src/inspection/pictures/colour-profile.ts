import type { JpegSegment, JpegStructure } from './jpeg-structure.js';

const APP2 = 0xe2;
const NAME = 'ICC_PROFILE\0';

/** The largest ICC profile that a print retains; pixels with a larger one are converted, so that headers stay short. */
const LARGEST_PROFILE = 32 * 1024;
const HEADER_BYTES = 128;
const KINDS: ReadonlySet<string> = new Set(['mntr', 'scnr', 'prtr', 'spac']);
const MATRIX_TAGS = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];

export const isProfileSegment = (bytes: Uint8Array, { marker, body, end }: JpegSegment): boolean =>
  marker === APP2 && end - body > 2 + NAME.length + 2 && ascii(bytes, body + 2, NAME.length) === NAME;

export const hasProfile = (bytes: Uint8Array, { segments }: JpegStructure): boolean =>
  segments.some((segment) => isProfileSegment(bytes, segment));

/**
 * Returns the ICC profile of a JPEG if every PDF reader supports it: three matrix columns with curves, or one curve for a
 * grey picture, matching its number of components. Undefined for one that is broken or has look-up tables.
 */
export function plainProfile(bytes: Uint8Array, structure: JpegStructure): Buffer | undefined {
  const parts = structure.segments
    .filter((segment) => isProfileSegment(bytes, segment))
    .map(({ body, end }) => bytes.subarray(body + 2 + NAME.length, end));
  const inOrder = parts.every((part, index) => part[0] === index + 1 && part[1] === parts.length);
  if (!inOrder) return undefined;
  const profile = Buffer.concat(parts.map((part) => part.subarray(2)));
  return isPlain(profile, structure.components.length) ? profile : undefined;
}

function isPlain(profile: Buffer, components: number): boolean {
  if (profile.length > LARGEST_PROFILE || profile.length < HEADER_BYTES + 4) return false;
  if (profile.readUInt32BE(0) !== profile.length || ascii(profile, 36, 4) !== 'acsp') return false;
  const version = profile[8]!;
  if (version < 2 || version > 4 || !KINDS.has(ascii(profile, 12, 4))) return false;
  const tags = tagsOf(profile);
  if (tags === undefined || [...tags].some((tag) => tag.startsWith('A2B'))) return false;
  const space = ascii(profile, 16, 4);
  if (components === 1) return space === 'GRAY' && tags.has('kTRC');
  return (
    components === 3 &&
    space === 'RGB ' &&
    ascii(profile, 20, 4) === 'XYZ ' &&
    MATRIX_TAGS.every((tag) => tags.has(tag))
  );
}

/** Returns the tags of a profile; undefined if one lies outside the profile. */
function tagsOf(profile: Buffer): Set<string> | undefined {
  const count = profile.readUInt32BE(HEADER_BYTES);
  if (HEADER_BYTES + 4 + 12 * count > profile.length) return undefined;
  const tags = new Set<string>();
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + 4 + 12 * index;
    if (profile.readUInt32BE(at + 4) + profile.readUInt32BE(at + 8) > profile.length) return undefined;
    tags.add(ascii(profile, at, 4));
  }
  return tags;
}

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));
