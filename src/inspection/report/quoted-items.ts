import { cutText } from '../../common/texts/cut-text.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import type { ServiceArea } from '../areas/area-type.js';
import { normalizeArea } from '../areas/normalize-area.js';
import type { FactWords } from '../facts/fact.js';
import { normalizeItem } from '../facts/item-name.js';
import {
  isObservation,
  sectionsOf,
  type InspectionReport,
  type QuotedReport,
  type ReportFact,
} from './inspection-report.js';

/** An area of a report, by which the same area of another is found. */
interface Place {
  readonly heading: string;
  readonly service?: ServiceArea | null | undefined;
}

/** Members that an observation has of its own time: a quote leaves them out. */
const OWN: ReadonlySet<string> = new Set(['item', 'asBefore', 'responsibility', 'action', 'note']);

/**
 * The items of the previous report, as observations `asBefore` quote them (contract section 5): those of the same area and
 * name. Where the previous report describes an item several times, so many observations quote one each, the rest the last.
 */
export class QuotedItems {
  private readonly items = new Map<string, ReportFact[]>();
  private readonly used = new Map<string, number>();
  private readonly found = new Warnings();

  constructor(private readonly previous: InspectionReport | undefined) {
    for (const section of previous ? sectionsOf(previous) : [])
      for (const fact of section.facts) {
        if (!isObservation(fact)) continue;
        const key = keyOf(section, fact);
        const same = this.items.get(key);
        if (same) same.push(fact);
        else this.items.set(key, [fact]);
      }
  }

  get warnings(): readonly Warning[] {
    return this.found.list();
  }

  /** Returns an observation `asBefore` with the item that it quotes; any other fact unchanged. */
  quote(place: Place, fact: ReportFact): ReportFact {
    if (!isObservation(fact) || fact.words.asBefore !== true) return fact;
    const key = keyOf(place, fact);
    const same = this.items.get(key) ?? [];
    const use = this.used.get(key) ?? 0;
    this.used.set(key, use + 1);
    const quoted = same[Math.min(use, same.length - 1)];
    if (!quoted) {
      this.found.addMade(() => this.unknown(place, fact));
      return fact;
    }
    const words = withoutOwn(quoted.words);
    return {
      ...fact,
      words: { ...words, ...fact.words },
      quoted: { words, photographs: quoted.photographs },
    };
  }

  private unknown({ heading }: Place, { words }: ReportFact): Warning {
    const item = `"${cutText(String(words.item), 80)}" in "${cutText(heading, 80)}"`;
    return this.previous
      ? {
          code: 'as_before_unknown',
          message: `The check-in does not describe ${item}: the report says that it is as at check-in, without a quote.`,
          path: 'meta.previousReport',
        }
      : {
          code: 'as_before_without_report',
          message:
            'meta.previousReport names no report: an observation "asBefore" is printed without what it refers to.',
          path: 'meta.previousReport',
        };
  }
}

/** Returns what a report says of the one that it quotes. */
export const quotedReport = ({ reportId, reference, cover }: InspectionReport): QuotedReport => ({
  ...{ reportId, reference },
  ...(cover.inspected === undefined ? {} : { inspected: cover.inspected }),
});

const keyOf = (place: Place, { words }: ReportFact): string => itemKey(place, String(words.item));

/** Returns the key by which an item of an area is found again in another report or session. */
export const itemKey = ({ heading, service }: Place, item: string): string =>
  `${service ?? normalizeArea(heading)}\0${normalizeItem(item)}`;

/** Returns the words of an item that another report quotes: without those of the observation's own time. */
export const withoutOwn = (words: FactWords): FactWords =>
  Object.fromEntries(Object.entries(words).filter(([name]) => !OWN.has(name)));
