import { SERVICE_AREAS } from '../areas/area-type.js';

/** The type of a member, which determines its reader, its JSON Schema and its form field. */
export type MetaType = 'text' | 'flag' | 'coordinates' | 'comments' | 'keys' | 'areas';

/** The place of a member in the report. `cover row` is a labelled line of the cover, in the order of the table. */
export type MetaPlace =
  | 'cover'
  | 'cover row'
  | 'title'
  | 'file name'
  | 'map link'
  | 'under its area'
  | 'under Keys'
  | 'absence note';

export interface MetaMember {
  readonly type: MetaType;
  /** The label on the cover and in the forms of the console and the chat page. */
  readonly label: string;
  readonly printed: MetaPlace;
  /** Describes the member in the API documents and in the settings of nodes. */
  readonly about: string;
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
    about: 'Printed under Keys, which they alone create.',
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
export const KEY_DETAILS = {
  numberOfKeys: 'Number of keys',
  takenFrom: 'Taken from',
  handedTo: 'Handed to',
} as const;
