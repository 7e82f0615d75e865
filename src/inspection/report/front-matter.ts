import { FURNISHINGS, type Furnishing } from '../../api/report-terms.js';
import { possibleWord } from '../../common/texts/possible-word.js';
import type { Warning, Warnings } from '../../common/warnings.js';
import { civilTime } from './civil-time.js';
import type { FrontMatter, LabelledValue } from './inspection-report.js';
import { META_MEMBERS } from './meta-members.js';

/** The general state of a property. */
export type Overview = { readonly [Name in 'decor' | 'cleanliness' | 'furnished']?: string };

/** A period: ISO dates or times. */
export type Period = { readonly [Name in 'start' | 'end']?: string };

/** A document handed over. */
export type HandedOver = {
  readonly kind: string;
  /** An ISO date or time. */
  readonly date?: string;
  readonly note?: string;
};

/** Reads an unchecked value; drops its faults with a warning each. Undefined if it is of another type. */
export type ReadMember<Value> = (value: unknown, path: string, warnings: Warnings) => Value | undefined;

export const readOverview: ReadMember<Overview> = (value, path, warnings) =>
  isObject(value)
    ? parts(META_MEMBERS.overview.parts, (name) => {
        const sent = textAt(value, name, `${path}.${name}`, warnings);
        if (name !== 'furnished' || sent === undefined) return sent;
        const word = possibleWord(sent)
          .toLowerCase()
          .replace(/[\s-]+/g, '_');
        if (Object.hasOwn(FURNISHINGS, word)) return word;
        warnings.add(wrong(`${path}.${name}`, `one of ${Object.keys(FURNISHINGS).join(', ')}`));
        return undefined;
      })
    : undefined;

export const readPeriod: ReadMember<Period> = (value, path, warnings) =>
  isObject(value)
    ? parts(META_MEMBERS.visit.parts, (name) => dateAt(value, name, `${path}.${name}`, warnings))
    : undefined;

export const readNames: ReadMember<readonly string[]> = (value, path, warnings) => {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((each: unknown, index) => textAt([each], '0', `${path}[${index}]`, warnings) ?? []);
};

export const readDocuments: ReadMember<readonly HandedOver[]> = (value, path, warnings) => {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((each: unknown, index) => {
    const place = `${path}[${index}]`;
    const kind = isObject(each) ? textAt(each, 'kind', `${place}.kind`, warnings) : undefined;
    if (kind === undefined || !isObject(each)) {
      warnings.add(wrong(place, 'an object with a text "kind"'));
      return [];
    }
    const date = dateAt(each, 'date', `${place}.date`, warnings);
    const note = textAt(each, 'note', `${place}.note`, warnings);
    return [{ kind, ...(date === undefined ? {} : { date }), ...(note === undefined ? {} : { note }) }];
  });
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the id of a report; whether it exists is not known here. */
export const readReportId = (value: unknown): string | undefined =>
  typeof value === 'string' && UUID.test(value.trim()) ? value.trim().toLowerCase() : undefined;

/** Returns the id of the report that an unchecked `meta` names as that of the check-in. */
export function previousReportIn(meta: unknown): string | undefined {
  return isObject(meta) && typeof meta['previousReport'] === 'string'
    ? readReportId(meta['previousReport'])
    : undefined;
}

/** The members of `meta` for the front matter. */
export interface FrontMembers {
  readonly overview?: Overview;
  readonly tenancy?: Period;
  readonly visit?: Period;
  readonly present?: readonly string[];
  readonly documents?: readonly HandedOver[];
}

/** Returns the front matter of a report, ready to print; a list is empty if nothing was sent. */
export function frontMatter({
  overview,
  tenancy,
  visit,
  present = [],
  documents = [],
}: FrontMembers): FrontMatter {
  return {
    overview: labelled(
      META_MEMBERS.overview.parts,
      overview,
      (word) => FURNISHINGS[word as Furnishing] ?? word,
    ),
    tenancy: labelled(META_MEMBERS.tenancy.parts, tenancy, printedTime),
    visit: labelled(META_MEMBERS.visit.parts, visit, printedTime),
    present,
    documents: documents.map(({ date, ...others }) => ({
      ...others,
      ...(date === undefined ? {} : { date: printedTime(date) }),
    })),
  };
}

const printedTime = (text: string): string => civilTime(text) ?? text;

const labelled = <Name extends string>(
  labels: Readonly<Record<Name, string>>,
  sent: { readonly [Each in Name]?: string } = {},
  print: (value: string) => string,
): LabelledValue[] =>
  (Object.keys(labels) as Name[]).flatMap((name) => {
    const value = sent[name];
    return value === undefined ? [] : [{ label: labels[name], value: print(value) }];
  });

type Json = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parts = <Name extends string>(
  labels: Readonly<Record<Name, string>>,
  read: (name: Name) => string | undefined,
): { readonly [Each in Name]?: string } =>
  Object.fromEntries(
    (Object.keys(labels) as Name[]).flatMap((name) => {
      const value = read(name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { readonly [Each in Name]?: string };

function textAt(value: object, name: string, path: string, warnings: Warnings): string | undefined {
  const sent = Object.hasOwn(value, name) ? (value as Json)[name] : undefined;
  if (typeof sent === 'string') return /\S/.test(sent) ? sent : undefined;
  if (sent !== undefined && sent !== null) warnings.add(wrong(path, 'a text'));
  return undefined;
}

function dateAt(value: object, name: string, path: string, warnings: Warnings): string | undefined {
  const sent = textAt(value, name, path, warnings);
  if (sent === undefined || civilTime(sent) !== undefined) return sent?.trim();
  warnings.add(wrong(path, 'an ISO date or time, such as 2026-11-03 or 2026-11-03T09:30'));
  return undefined;
}

const wrong = (path: string, expected: string): Warning => ({
  code: 'wrong_type',
  message: `${path} must be ${expected}; it was dropped.`,
  path,
});
