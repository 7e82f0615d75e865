import { nearestName } from '../../common/texts/nearest-name.js';
import { possibleWord } from '../../common/texts/possible-word.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import type { ServiceArea } from '../areas/area-type.js';
import { readSkippedAreas } from '../areas/skipped-areas.js';
import {
  type FrontMembers,
  readDocuments,
  type ReadMember,
  readNames,
  readOverview,
  readPeriod,
  readReportId,
} from './front-matter.js';
import type { Cover, LabelledValue } from './inspection-report.js';
import { KEY_DETAILS, META_NAMES, META_TEXTS, type MetaText } from './meta-members.js';
import { readGeo } from './read-geo.js';

/** The recognised members of `source.meta` with valid types (description section 2.3). */
export interface ReportMeta extends Readonly<Partial<Record<MetaText, string>>>, FrontMembers {
  /** The id of the report of the check-in. */
  readonly previousReport?: string;
  readonly guided: boolean;
  readonly location?: Cover['location'];
  /** Area names with their remarks as sent, in order; a list of pairs, because any text may be a name (`__proto__`). */
  readonly areaComments: readonly (readonly [area: string, remarks: readonly string[]])[];
  readonly keyDetails: readonly LabelledValue[];
  readonly skipped: readonly ServiceArea[];
}

type Json = { readonly [name: string]: unknown };

const MOST_UNKNOWN = 100;
const TYPES: ReadonlySet<string> = new Set(['interim', 'checkin', 'checkout']);

/**
 * Reads an unchecked `source.meta` without ever failing. Drops a member of the wrong type with a warning, and an unknown
 * one silently unless it looks like a misspelt known one. Null and blank texts count as absent.
 */
export function readMeta(source: unknown): { meta: ReportMeta; warnings: Warning[] } {
  const warnings = new Warnings();
  if (!isObject(source)) {
    if (source !== undefined && source !== null) warnings.add(wrong('meta', 'an object'));
    return {
      meta: { guided: false, areaComments: [], keyDetails: [], skipped: [] },
      warnings: warnings.list(),
    };
  }
  warnings.add(...misspelt(source));
  const reader = new MetaReader(source, warnings);
  const meta: ReportMeta = {
    ...reader.texts(),
    guided: reader.guided(),
    ...reader.location(),
    areaComments: reader.areaComments(),
    keyDetails: reader.keyDetails(),
    skipped: reader.skipped(),
    ...reader.read('overview', readOverview, 'an object'),
    ...reader.read('tenancy', readPeriod, 'an object'),
    ...reader.read('visit', readPeriod, 'an object'),
    ...reader.read('present', readNames, 'an array of texts'),
    ...reader.read('documents', readDocuments, 'an array of objects'),
    ...reader.read('previousReport', readReportId, 'the id of a report'),
  };
  if (meta.skipped.includes('keys') && meta.keyDetails.length > 0) warnings.add(SKIPPED_BUT_DESCRIBED);
  return { meta, warnings: warnings.list() };
}

const SKIPPED_BUT_DESCRIBED: Warning = {
  code: 'skipped_but_described',
  message:
    'meta.skippedAreas names the keys and meta.keyDetails describes them: the details are printed as well. Leave out whichever is wrong.',
  path: 'meta.skippedAreas',
};

/** Returns the cover title for `meta.reportType`; the neutral one for an unknown type (description section 2.3). */
export function reportTitle(reportType: string | undefined): string {
  switch (reportType) {
    case 'checkin':
      return 'Check-In Inspection Report';
    case 'checkout':
      return 'Check-Out Inspection Report';
    case 'interim':
      return 'Interim Inspection Report';
    default:
      return 'Property Inspection Report';
  }
}

/** Returns warnings for unknown members with a name similar to a known one. */
const misspelt = (source: Json): Warning[] =>
  Object.keys(source)
    .filter((name) => !META_NAMES.has(name))
    .slice(0, MOST_UNKNOWN)
    .flatMap((name) => {
      const suggestion = nearestName(name, META_NAMES);
      if (suggestion === undefined) return [];
      const message = `"${name}" is no member of meta and was left out.`;
      return [{ code: 'unknown_member', message, path: `meta.${name}`, suggestion }];
    });

class MetaReader {
  constructor(
    private readonly source: Json,
    private readonly warnings: Warnings,
  ) {}

  texts(): Partial<Record<MetaText, string>> {
    const found: Partial<Record<MetaText, string>> = {};
    for (const name of META_TEXTS) {
      const value = this.member(name);
      if (typeof value !== 'string') this.warnUnlessAbsent(value, `meta.${name}`, 'a text');
      else if (/\S/.test(value)) found[name] = value;
    }
    this.warnOfMisspelt(found.reportType);
    return found;
  }

  /** Warns of a misspelt report type. Any other unknown type is valid, with a neutral title and no required areas. */
  private warnOfMisspelt(reportType: string | undefined): void {
    if (reportType === undefined || TYPES.has(reportType)) return;
    const meant = possibleWord(reportType)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    if (!TYPES.has(meant)) return;
    this.warnings.add({
      code: 'unknown_report_type',
      message: `meta.reportType "${reportType.slice(0, 80)}" is not "${meant}": the title is neutral and no area is required.`,
      path: 'meta.reportType',
      suggestion: meant,
    });
  }

  guided(): boolean {
    const value = this.member('guided');
    if (typeof value !== 'boolean') this.warnUnlessAbsent(value, 'meta.guided', 'true or false');
    return value === true;
  }

  location(): { location?: NonNullable<Cover['location']> } {
    const value = this.member('geo');
    if (value === undefined) return {};
    const location = isObject(value) ? readGeo(value) : undefined;
    if (location) return { location };
    this.warnings.add(wrong('meta.geo', '{ latitude, longitude } in degrees'));
    return {};
  }

  areaComments(): [string, string[]][] {
    const value = this.member('areaComments');
    if (!isObject(value)) {
      this.warnUnlessAbsent(value, 'meta.areaComments', 'an object of arrays of texts');
      return [];
    }
    return Object.entries(value).map(([area, remarks]) => [area, this.remarks(area, remarks)]);
  }

  private remarks(area: string, value: unknown): string[] {
    const name = `meta.areaComments["${area.slice(0, 80)}"]`;
    if (!Array.isArray(value)) {
      this.warnUnlessAbsent(value ?? undefined, name, 'an array of texts');
      return [];
    }
    const texts = value.filter((remark: unknown): remark is string => typeof remark === 'string');
    if (texts.length < value.length)
      this.warnings.add({
        code: 'wrong_type',
        message: `Of ${name} only its texts are printed.`,
        path: name,
      });
    return texts.filter((text) => /\S/.test(text));
  }

  keyDetails(): LabelledValue[] {
    const value = this.member('keyDetails');
    if (!isObject(value)) {
      this.warnUnlessAbsent(value, 'meta.keyDetails', 'an object');
      return [];
    }
    return Object.entries(KEY_DETAILS).flatMap(([name, label]) => {
      const detail = own(value, name);
      const text = typeof detail === 'number' && Number.isFinite(detail) ? String(detail) : detail;
      if (typeof text !== 'string') this.warnUnlessAbsent(text, `meta.keyDetails.${name}`, 'a text');
      return typeof text === 'string' && /\S/.test(text) ? [{ label, value: text }] : [];
    });
  }

  skipped(): ServiceArea[] {
    const value = this.member('skippedAreas');
    if (typeof value !== 'string') {
      this.warnUnlessAbsent(value, 'meta.skippedAreas', 'a text with "|" between its items');
      return [];
    }
    const { skipped, warnings } = readSkippedAreas(value);
    this.warnings.add(...warnings);
    return skipped;
  }

  read<Name extends keyof FrontMembers | 'previousReport', Value>(
    name: Name,
    read: ReadMember<Value>,
    expected: string,
  ): { [Each in Name]?: Value } {
    const value = this.member(name);
    if (value === undefined) return {};
    const found = read(value, `meta.${name}`, this.warnings);
    if (found !== undefined) return { [name]: found } as { [Each in Name]?: Value };
    this.warnings.add(wrong(`meta.${name}`, expected));
    return {};
  }

  private member(name: string): unknown {
    return own(this.source, name);
  }

  private warnUnlessAbsent(value: unknown, name: string, expected: string): void {
    if (value !== undefined) this.warnings.add(wrong(name, expected));
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (object: Json, name: string): unknown =>
  Object.hasOwn(object, name) && object[name] !== null && object[name] !== '' ? object[name] : undefined;
const wrong = (path: string, expected: string): Warning => ({
  code: 'wrong_type',
  message: `${path} must be ${expected}; it was dropped.`,
  path,
});
