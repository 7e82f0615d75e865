import { suggested } from '../../common/texts/nearest-name.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import { readSkippedAreas } from '../areas/skipped-areas.js';
import { readDocuments, readNames, readOverview, readPeriod, readReportId } from '../report/front-matter.js';
import {
  KEY_DETAILS,
  META_MEMBERS,
  META_NAMES,
  type MetaName,
  type MetaType,
} from '../report/meta-members.js';
import { readGeo } from '../report/read-geo.js';

/** A value of JSON. */
export type DetailValue =
  | string
  | number
  | boolean
  | readonly DetailValue[]
  | { readonly [name: string]: DetailValue };

/** The stored record: members of `meta`, each of the correct type (description section 2.3). */
export type Details = { readonly [name: string]: DetailValue };

/** Members to replace, `null` for those to remove. */
export interface DetailsChange {
  readonly members: { readonly [name: string]: DetailValue | null };
  readonly warnings: readonly Warning[];
}

type Json = { readonly [name: string]: unknown };

/** Returns a valid value, or undefined for an invalid one; drops faults inside it with a warning each. */
type Read = (value: unknown, path: string, warnings: Warnings) => DetailValue | undefined;

const READERS: Readonly<Record<MetaType, { readonly read: Read; readonly expected: string }>> = {
  text: { read: (value) => (typeof value === 'string' ? value : undefined), expected: 'a text' },
  flag: { read: (value) => (typeof value === 'boolean' ? value : undefined), expected: 'true or false' },
  coordinates: { read: geo, expected: '{ latitude, longitude } in degrees' },
  comments: { read: areaComments, expected: 'an object of arrays of texts' },
  keys: { read: keyDetails, expected: 'an object' },
  areas: { read: skippedAreas, expected: 'a text with "|" between its items' },
  overview: { read: readOverview, expected: 'an object' },
  period: { read: readPeriod, expected: 'an object' },
  names: { read: readNames, expected: 'an array of texts' },
  documents: { read: readDocuments, expected: 'an array of objects' },
  report: { read: readReportId, expected: 'the id of a report' },
};

const isMember = (name: string): name is MetaName => META_NAMES.has(name);

/**
 * Reads an unchecked change of a record (contract section 5). Drops an unknown or invalid member with a warning, never an
 * error.
 */
export function readDetailsChange(source: unknown): DetailsChange {
  const warnings = new Warnings();
  const members: { [name: string]: DetailValue | null } = {};
  if (!isObject(source)) {
    warnings.add(wrong('details', 'an object'));
    return { members, warnings: warnings.list() };
  }
  for (const [name, value] of Object.entries(source)) {
    if (!isMember(name)) warnings.addMade(() => unknownMember(name));
    else if (value === null || value === undefined) members[name] = null;
    else {
      const { read, expected } = READERS[META_MEMBERS[name].type];
      const right = read(value, `details.${name}`, warnings);
      if (right === undefined) warnings.add(wrong(`details.${name}`, expected));
      else members[name] = right;
    }
  }
  return { members, warnings: warnings.list() };
}

/** Returns the record after the change; top-level members are replaced whole. */
export function changed(details: Details, { members }: DetailsChange): Details {
  const all = Object.entries({ ...details, ...members });
  return Object.fromEntries([...all].filter((entry): entry is [string, DetailValue] => entry[1] !== null));
}

function geo(value: unknown): DetailValue | undefined {
  if (!isObject(value) || !readGeo(value)) return undefined;
  return { latitude: value['latitude'] as number, longitude: value['longitude'] as number };
}

function areaComments(value: unknown, path: string, warnings: Warnings): DetailValue | undefined {
  if (!isObject(value)) return undefined;
  const areas = Object.entries(value).flatMap(([area, remarks]): [string, string[]][] => {
    const texts = Array.isArray(remarks) ? remarks.filter((each) => typeof each === 'string') : [];
    if (!Array.isArray(remarks) || texts.length < remarks.length)
      warnings.addMade(() => wrong(`${path}["${area.slice(0, 80)}"]`, 'an array of texts'));
    return texts.length > 0 ? [[area, texts]] : [];
  });
  return Object.fromEntries(areas);
}

function keyDetails(value: unknown, path: string, warnings: Warnings): DetailValue | undefined {
  if (!isObject(value)) return undefined;
  const parts = Object.keys(KEY_DETAILS).flatMap((name): [string, string | number][] => {
    const detail = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof detail === 'string' || (typeof detail === 'number' && Number.isFinite(detail)))
      return [[name, detail]];
    if (detail !== undefined && detail !== null) warnings.add(wrong(`${path}.${name}`, 'a text'));
    return [];
  });
  return Object.fromEntries(parts);
}

function skippedAreas(value: unknown, path: string, warnings: Warnings): DetailValue | undefined {
  if (typeof value !== 'string') return undefined;
  warnings.add(...readSkippedAreas(value, path).warnings);
  return value;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (path: string, expected: string): Warning => ({
  code: 'wrong_type',
  message: `${path} must be ${expected}; it was dropped.`,
  path,
});

const unknownMember = (name: string): Warning => ({
  code: 'unknown_member',
  message: `"${name.slice(0, 80)}" is no member of the details of an inspection and was left out.`,
  path: `details.${name.slice(0, 80)}`,
  ...suggested(name, META_NAMES),
});
