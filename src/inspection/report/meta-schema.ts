import { FURNISHINGS } from '../../api/report-terms.js';
import { KEY_DETAILS, META_MEMBERS, type MetaName, type MetaType } from './meta-members.js';

const degrees = (most: number) => ({ type: 'number', minimum: -most, maximum: most });

const SCHEMAS: Readonly<Record<MetaType, object>> = {
  text: { type: 'string' },
  flag: { type: 'boolean' },
  coordinates: {
    type: 'object',
    required: ['latitude', 'longitude'],
    properties: { latitude: degrees(90), longitude: degrees(180) },
  },
  comments: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  keys: {
    type: 'object',
    properties: Object.fromEntries(
      Object.keys(KEY_DETAILS).map((name) => [name, { type: ['string', 'number'] }]),
    ),
  },
  areas: { type: 'string' },
  overview: {
    type: 'object',
    properties: {
      decor: { type: 'string' },
      cleanliness: { type: 'string' },
      furnished: { type: 'string', enum: Object.keys(FURNISHINGS) },
    },
  },
  period: { type: 'object', properties: { start: { type: 'string' }, end: { type: 'string' } } },
  names: { type: 'array', items: { type: 'string' } },
  documents: {
    type: 'array',
    items: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, date: { type: 'string' }, note: { type: 'string' } },
    },
  },
  report: { type: 'string' },
};

/** The documented members of `source.meta`. The reader accepts any value and warns of dropped members. */
export const metaSchema = {
  type: 'object',
  description:
    'Property details, all optional. A member of another type is dropped with a warning, never an error; one that is not listed here is ignored (with a warning where one of these was probably meant).',
  properties: Object.fromEntries(
    Object.entries(META_MEMBERS).map(([name, { type, about }]) => [
      name,
      { ...SCHEMAS[type], description: about },
    ]),
  ) as Record<MetaName, { type: string; description: string }>,
};

/** Members of the details of an inspection, to be replaced or removed. */
export const metaChangeSchema = {
  type: 'object',
  description: 'The members to be replaced; `null` for one to be removed.',
  properties: Object.fromEntries(
    Object.entries(metaSchema.properties).map(([name, member]) => [
      name,
      { anyOf: [member, { type: 'null' }] },
    ]),
  ),
};
