import { SERVICE_AREAS } from '../areas/area-type.js';

/** The type of a member, which determines its reader, its JSON Schema and its form field. */
export type MetaType =
  | 'text'
  | 'flag'
  | 'coordinates'
  | 'comments'
  | 'keys'
  | 'areas'
  | 'overview'
  | 'period'
  | 'names'
  | 'documents'
  | 'report';

/** The place of a member in the report. `cover row` is a labelled line of the cover, in the order of the table. */
export type MetaPlace =
  | 'cover'
  | 'cover row'
  | 'title'
  | 'file name'
  | 'map link'
  | 'under its area'
  | 'under Keys'
  | 'absence note'
  | 'front matter'
  | 'quotes of its items';

export interface MetaMember {
  readonly type: MetaType;
  /** The label on the cover and in the forms of the console and the chat page. */
  readonly label: string;
  readonly printed: MetaPlace;
  /** Describes the member in the API documents and in the settings of nodes. */
  readonly about: string;
  /** The labels of its parts, in the report and in forms. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Set for a period whose dates are asked for with their times. */
  readonly timed?: true;
}

const text = (label: string, printed: MetaPlace, about: string) =>
  ({ type: 'text', label, printed, about }) as const;

/**
 * The members of `meta` (description section 2.3) and of the record of an inspection. The reader, the schema, the settings
 * of nodes, the cover and the forms derive from this table. Plain data, also for the web pages.
 */
export const META_MEMBERS = {
  address: text('Address', 'cover', 'On the cover, as it is.'),
  company: text('Company', 'cover row', 'The company.'),
  assessor: text('Inspector', 'cover row', 'The inspector.'),
  tenant: text('Tenant', 'cover row', 'The tenant.'),
  reportType: text(
    'Type of report',
    'title',
    '`checkin`, `checkout` or `interim`; anything else has a neutral title and requires no areas.',
  ),
  guided: {
    type: 'flag',
    label: 'Guided self inspection',
    printed: 'cover',
    about: '`true` prints "Guided Self Inspection".',
  },
  propertyNo: text('Property number', 'file name', 'In the name of the file.'),
  postcode: text('Postcode', 'file name', 'In the name of the file.'),
  logo: text('Logo', 'cover', 'The id that `POST /api/v1/assets` answered, or a data URI. Never an address.'),
  overview: {
    ...{ type: 'overview', label: 'Overview', printed: 'front matter' },
    about: 'The general state of the property: `{ decor, cleanliness, furnished }`.',
    parts: { decor: 'Decor', cleanliness: 'Cleanliness', furnished: 'Furnishing' },
  },
  tenancy: {
    ...{ type: 'period', label: 'Tenancy', printed: 'front matter' },
    about: 'Its `{ start, end }`: ISO dates.',
    parts: { start: 'Tenancy start', end: 'Tenancy end' },
  },
  visit: {
    ...{ type: 'period', label: 'Visit', printed: 'front matter' },
    about: 'Its `{ start, end }`: ISO dates or times.',
    parts: { start: 'Visit start', end: 'Visit end' },
    timed: true,
  },
  present: {
    ...{ type: 'names', label: 'Present', printed: 'front matter' },
    about: 'Who was present at the visit.',
  },
  documents: {
    ...{ type: 'documents', label: 'Documents handed over', printed: 'front matter' },
    about: 'Documents handed over: `{ kind, date, note }` each.',
  },
  previousReport: {
    ...{ type: 'report', label: 'Check-in report', printed: 'quotes of its items' },
    about:
      'At a check-out: the id of the report of the check-in, whose items `asBefore` quotes. Dropped if you may not read it.',
  },
  geo: { type: 'coordinates', label: 'Coordinate', printed: 'map link', about: 'Degrees.' },
  areaComments: {
    type: 'comments',
    label: 'Comments',
    printed: 'under its area',
    about: 'Area → remarks, printed under the area as "Additional Comment", one each.',
  },
  keyDetails: {
    type: 'keys',
    label: 'Keys',
    printed: 'under Keys',
    about: 'Printed under Keys; enough for the report to have that section.',
    parts: { numberOfKeys: 'Number of keys', takenFrom: 'Taken from', handedTo: 'Handed to' },
  },
  skippedAreas: {
    type: 'areas',
    label: 'Areas that are absent',
    printed: 'absence note',
    about: `Areas that the inspector reported absent, with "|" between them: ${SERVICE_AREAS.join(', ')}, or any other of their names.`,
  },
} as const satisfies Readonly<Record<string, MetaMember>>;

export type MetaName = keyof typeof META_MEMBERS;

/** The members whose value is a text. */
export type MetaText = {
  [Name in MetaName]: (typeof META_MEMBERS)[Name]['type'] extends 'text' ? Name : never;
}[MetaName];

const names = Object.keys(META_MEMBERS) as MetaName[];

export const META_NAMES: ReadonlySet<string> = new Set(names);

const isText = (name: MetaName): name is MetaText => META_MEMBERS[name].type === 'text';

export const META_TEXTS: readonly MetaText[] = names.filter(isText);

/** The texts on labelled lines of the cover, in their order. */
export const COVER_ROWS: readonly MetaText[] = META_TEXTS.filter(
  (name) => META_MEMBERS[name].printed === 'cover row',
);

/** The parts of `keyDetails` and their labels. */
export const KEY_DETAILS = META_MEMBERS.keyDetails.parts;
