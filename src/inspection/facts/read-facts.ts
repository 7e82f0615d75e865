import { suggested } from '../../common/texts/nearest-name.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import { type FactMember, MEMBERS_OF, own } from './fact-members.js';
import { FACT_MEMBERS, type FactKind, type FactWord, type SentFact } from './fact.js';

/** Limit on the facts of one call. */
const MOST_FACTS = 500;
/** Limit on the photographs of one fact. */
export const MOST_PHOTOGRAPHS = 50;
/** Limit on the unknown members of one fact that are examined. */
const MOST_UNKNOWN = 20;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The unchecked members of a call for facts. */
export type FactFields = { readonly [Name in (typeof FACT_MEMBERS)[number]]?: unknown };

/**
 * Reads the facts of a call (contract section 5). Drops an invalid member with a warning, and the whole fact if the member
 * is required. Returns undefined if the call sent none, valid or not.
 */
export function readFacts(
  fields: FactFields,
): { readonly facts: readonly SentFact[]; readonly warnings: readonly Warning[] } | undefined {
  if (FACT_MEMBERS.every((name) => isAbsent(fields[name]))) return undefined;
  const reader = new FactReader();
  reader.list(fields.observations, 'observation', 'observations');
  reader.one(fields.reading, 'reading');
  reader.list(fields.keys, 'keys', 'keys');
  reader.one(fields.alarm, 'alarm');
  return { facts: reader.facts, warnings: reader.warnings.list() };
}

class FactReader {
  readonly facts: SentFact[] = [];
  readonly warnings = new Warnings();

  list(value: unknown, kind: FactKind, name: string): void {
    if (isAbsent(value)) return;
    if (!Array.isArray(value))
      return this.warn('wrong_type', name, name, `must be an array; it was dropped.`);
    value.forEach((item: unknown, index) => this.take(item, kind, `${name}[]`, `${name}[${index}]`));
  }

  one(value: unknown, kind: FactKind): void {
    if (!isAbsent(value)) this.take(value, kind, kind, kind);
  }

  /** Reads one fact. `label` is its place without the number, so that equal warnings are folded. */
  private take(value: unknown, kind: FactKind, label: string, path: string): void {
    if (this.facts.length >= MOST_FACTS) return this.tooMany(path);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.warn('wrong_type', label, path, 'must be an object; it was dropped.');
    const members = MEMBERS_OF[kind];
    const words: Record<string, FactWord> = {};
    for (const [name, member] of members) {
      const sent = own(value, name);
      const place = [`${label}.${name}`, `${path}.${name}`] as const;
      const read = isAbsent(sent) ? undefined : this.member(sent, member, ...place);
      if (read !== undefined && read !== null) words[name] = read;
      else if (member.required)
        return this.warn('fact_dropped', ...place, `is required: the ${kind} without it was dropped.`);
    }
    this.warnOfUnknown(value, [...members.keys(), 'photographs'], label, path);
    const photographs = this.photographs(own(value, 'photographs'), label, path);
    this.facts.push({ kind, words: words, path, ...(photographs && { photographs }) });
  }

  private member(sent: unknown, member: FactMember, label: string, path: string) {
    const { expected, longest, words } = member;
    const read = member.read(sent);
    if (read === undefined) {
      const near = words && typeof sent === 'string' ? suggested(sent, words) : {};
      this.warn('wrong_type', label, path, `must be ${expected}; it was dropped.`, near);
    } else if (member.losesPart?.(sent) === true)
      this.warn('wrong_type', label, path, `must be ${expected}; the others were dropped.`);
    if (typeof read !== 'string' || longest === undefined || read.length <= longest) return read;
    this.warn('text_cut', label, path, `was cut to ${longest} characters.`);
    return read.slice(0, longest).toWellFormed();
  }

  private photographs(value: unknown, label: string, path: string): (number | string)[] | undefined {
    if (isAbsent(value)) return undefined;
    const place = [`${label}.photographs`, `${path}.photographs`] as const;
    if (!Array.isArray(value)) {
      this.warn('wrong_type', ...place, 'must be an array of indices or ids; it was dropped.');
      return undefined;
    }
    if (value.length > MOST_PHOTOGRAPHS)
      this.warn('wrong_type', ...place, `may name ${MOST_PHOTOGRAPHS} photographs; the others were dropped.`);
    return value.slice(0, MOST_PHOTOGRAPHS).flatMap((item: unknown, index) => {
      const named = photographNamed(item);
      if (named === undefined)
        this.warn(
          'wrong_type',
          `${place[0]}[]`,
          `${place[1]}[${index}]`,
          'is neither an index nor an id; it was dropped.',
        );
      return named ?? [];
    });
  }

  /** Warns of unknown members that look like a misspelt known one; others are ignored. */
  private warnOfUnknown(value: object, known: readonly string[], label: string, path: string): void {
    let looked = 0;
    for (const name in value) {
      if (!Object.hasOwn(value, name) || known.includes(name)) continue;
      if (++looked > MOST_UNKNOWN) return;
      const near = suggested(name, known);
      if (near.suggestion !== undefined)
        this.warn('unknown_member', label, path, `has no member "${name}"; it was left out.`, near);
    }
  }

  private tooMany(path: string): void {
    const message = `A call takes ${MOST_FACTS} observations, readings, keys and alarms; the others were dropped. Send them with the next call.`;
    this.warnings.add({ code: 'too_many_facts', message, path });
  }

  private warn(code: string, label: string, path: string, ends: string, more: Partial<Warning> = {}): void {
    this.warnings.add({ code, message: `${label} ${ends}`, path, ...more });
  }
}

/** Null and blank text count as absent. */
const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Returns an index, also from digits, or an id. */
function photographNamed(item: unknown): number | string | undefined {
  if (typeof item === 'string') {
    const sent = item.trim().toLowerCase();
    return /^\d{1,4}$/.test(sent) ? Number(sent) : ID.test(sent) ? sent : undefined;
  }
  return Number.isSafeInteger(item) && (item as number) >= 0 ? (item as number) : undefined;
}
