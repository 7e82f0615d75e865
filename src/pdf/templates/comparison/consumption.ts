import type { FactWords } from '../../../inspection/facts/fact.js';
import { printedWord } from '../fact-words.js';
import type { Sides } from './comparison-report.js';

/** An amount as a whole number of units of `10 ** -decimals`. */
interface Amount {
  readonly units: bigint;
  readonly decimals: number;
}

const AMOUNT = /^(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,9}))?$/;

/** Reads `4021`, `4,021.5` or `00412`; undefined for anything else. */
function readAmount(text: string): Amount | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  return { units: BigInt(whole.replaceAll(',', '') + fraction), decimals: fraction.length };
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ['m3', 'm³'],
  ['m^3', 'm³'],
  ['kwh', 'kWh'],
]);

function unitOf(words: FactWords): string {
  const unit = printedWord(words, 'unit').normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return UNITS.get(unit) ?? printedWord(words, 'unit').trim();
}

/**
 * Returns what two readings of one meter say of its consumption: `used 214 kWh`, or why none is stated. '' if a reading is no
 * number or has no unit.
 */
export function consumption({ before, after }: Sides<FactWords>): string {
  const [earlier, later] = [before, after].map((words) => readAmount(printedWord(words, 'value')));
  const [unit, laterUnit] = [unitOf(before), unitOf(after)];
  if (!earlier || !later || unit === '' || laterUnit === '') return '';
  if (unit !== laterUnit) return `units differ (${unit}, ${laterUnit}), no consumption stated`;
  const used = difference(later, earlier);
  return used.units < 0n ? 'later reading is lower, no consumption stated' : `used ${written(used)} ${unit}`;
}

/** Returns true if both readings are numbers of the same value. */
export function sameAmount(one: string, other: string): boolean {
  const [first, second] = [readAmount(one), readAmount(other)];
  return first !== undefined && second !== undefined && difference(first, second).units === 0n;
}

function difference(one: Amount, other: Amount): Amount {
  const decimals = Math.max(one.decimals, other.decimals);
  const scaled = ({ units, decimals: own }: Amount): bigint => units * 10n ** BigInt(decimals - own);
  return { units: scaled(one) - scaled(other), decimals };
}

function written({ units, decimals }: Amount): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
