import type { FactMemberName } from '../../../api/inspection-terms.js';
import type { FactWords } from '../../../inspection/facts/fact.js';
import { type GradedMember, gradeOf, gradeRank } from '../../../inspection/facts/grades.js';
import { normalizeItem } from '../../../inspection/facts/item-name.js';
import type { ReportFact } from '../../../inspection/report/inspection-report.js';
import { capitalised, printedWord } from '../fact-words.js';
import type { Difference, Sides } from './comparison-report.js';
import { consumption, sameAmount } from './consumption.js';
import { NOT_RETURNED, NOT_THERE, outcomeLines } from './fact-statement.js';

/**
 * Gravities, which are added up. They order the list and are not printed: first what is missing, then by the grades, then by
 * what needs a decision; a difference in words alone and a change for the better are last.
 */
const GRAVITY = {
  missing: 200,
  fewer: 150,
  testFailed: 60,
  otherSerial: 50,
  conditionStep: 12,
  conditionRank: 3,
  cleanlinessStep: 5,
  cleanlinessRank: 2,
  otherResult: 30,
  needsDecision: 6,
  described: 4,
  reading: 3,
  other: 2,
  better: 1,
} as const;

type Point = readonly [gravity: number, words: string];

/** Compares two facts about one thing; null if they do not differ, or the later one quotes the earlier. */
export function differenceOf({ before, after }: Sides<ReportFact>): Difference | null {
  if (after.words.asBefore === true) return null;
  const words = { before: before.words, after: after.words };
  const points = [...POINTS[after.kind](words), ...decision(after)];
  if (points.length === 0) return null;
  return {
    gravity: points.reduce((sum, [gravity]) => sum + gravity, 0),
    words: wordsOf(points),
  };
}

const DESCRIBED = 'described differently';

/** Leaves out the general words (`DESCRIBED`) if there are more specific ones. */
function wordsOf(points: readonly Point[]): string[] {
  const words = points.map(([, text]) => text).filter((text) => text !== '');
  const others = words.filter((text) => text !== DESCRIBED);
  return (others.length > 0 ? others : words).map(capitalised);
}

const POINTS: Readonly<Record<ReportFact['kind'], (words: Sides<FactWords>) => readonly Point[]>> = {
  observation: (words) =>
    isGone(words)
      ? [[GRAVITY.missing, NOT_THERE]]
      : [
          ...grade(words, 'condition'),
          ...grade(words, 'cleanliness'),
          ...quantity(words),
          ...changed(words, 'serial', 'serial number', GRAVITY.otherSerial),
          ...changed(words, 'make', 'make', GRAVITY.otherSerial),
          ...changed(words, 'model', 'model', GRAVITY.otherSerial),
          ...details(words),
          ...description(words),
        ],
  reading,
  keys,
  alarm: (words) => [
    ...tested(words),
    ...changed(words, 'result', 'result', GRAVITY.otherResult),
    ...changed(words, 'expires', 'expires', GRAVITY.other),
  ],
};

const isGone = ({ before, after }: Sides<FactWords>): boolean =>
  after.quantity === 0 && before.quantity !== 0;

/** Returns a point without words if the later report names a responsibility, an action or a note, which are printed apart. */
function decision(after: ReportFact): Point[] {
  const { responsibility, action } = after.words;
  const open = responsibility === 'tenant' || responsibility === 'landlord';
  if (open || (action !== undefined && action !== 'none')) return [[GRAVITY.needsDecision, '']];
  return outcomeLines(after).length > 0 ? [[GRAVITY.other, '']] : [];
}

const STEPS = {
  condition: [GRAVITY.conditionStep, GRAVITY.conditionRank],
  cleanliness: [GRAVITY.cleanlinessStep, GRAVITY.cleanlinessRank],
} as const satisfies Readonly<Record<GradedMember, unknown>>;

/** Compares a grade; one that only the later report has counts if it is to note. */
function grade({ before, after }: Sides<FactWords>, member: GradedMember): Point[] {
  const [one, other] = [gradeOf(member, before), gradeOf(member, after)];
  const [was, now] = [gradeRank(member, before), gradeRank(member, after)];
  if (!other || now === undefined || one === other) return [];
  const [step, rank] = STEPS[member];
  if (!one || was === undefined)
    return other.gravity === 'none' ? [] : [[rank * now, `not graded → ${other.label}`]];
  const gravity = now > was ? step * (now - was) + rank * now : GRAVITY.better;
  return [[gravity, `${one.label} → ${other.label}`]];
}

function quantity({ before, after }: Sides<FactWords>): Point[] {
  const [one, other] = [before.quantity, after.quantity];
  if (typeof one !== 'number' || typeof other !== 'number' || one === other) return [];
  return [[other < one ? GRAVITY.fewer : GRAVITY.other, `quantity ${one} → ${other}`]];
}

/** Compares a member that both reports have; spelling and spaces do not count. */
function changed(
  { before, after }: Sides<FactWords>,
  member: FactMemberName,
  label: string,
  gravity: number,
): Point[] {
  const [one, other] = [printedWord(before, member), printedWord(after, member)];
  if (one === '' || other === '' || solid(one) === solid(other)) return [];
  return [[gravity, `${label} ${one} → ${other}`]];
}

/** `HBA 5` and `hba-5` are one model. */
const solid = (text: string): string => normalizeItem(text).replaceAll(' ', '');

function details({ before, after }: Sides<FactWords>): Point[] {
  const known = new Map((before.details ?? []).map(({ label, value }) => [normalizeItem(label), value]));
  return (after.details ?? []).flatMap(({ label, value }): Point[] => {
    const was = known.get(normalizeItem(label));
    if (was === undefined || normalizeItem(was) === normalizeItem(value)) return [];
    return [[GRAVITY.other, `${label}: ${was} → ${value}`]];
  });
}

function description({ before, after }: Sides<FactWords>): Point[] {
  const now = printedWord(after, 'description');
  if (now === '' || normalizeItem(now) === normalizeItem(printedWord(before, 'description'))) return [];
  return [[GRAVITY.described, DESCRIBED]];
}

function reading(words: Sides<FactWords>): Point[] {
  const { before, after } = words;
  const serial = changed(words, 'serial', 'serial number', GRAVITY.otherSerial);
  if (serial.length > 0) return [...serial, [GRAVITY.reading, 'another meter, no consumption stated']];
  const [one, other] = [printedWord(before, 'value'), printedWord(after, 'value')];
  if (one === other || sameAmount(one, other)) return unitPoint(words);
  const used = consumption(words);
  return [[GRAVITY.reading, used === '' ? 'another reading' : used]];
}

/** A reading of the same digits in another unit. */
const unitPoint = (words: Sides<FactWords>): Point[] => changed(words, 'unit', 'unit', GRAVITY.other);

function keys({ before, after }: Sides<FactWords>): Point[] {
  const given = numberIn(after.count) ?? numberIn(before.count);
  const returned = numberIn(after.returned);
  if (returned !== undefined && given !== undefined && returned < given)
    return returned === 0
      ? [[GRAVITY.missing, NOT_RETURNED]]
      : [[GRAVITY.fewer, `${given - returned} ${NOT_RETURNED}`]];
  const [one, other] = [numberIn(before.count), returned ?? numberIn(after.count)];
  if (one === undefined || other === undefined || one === other) return [];
  return [[other < one ? GRAVITY.fewer : GRAVITY.other, `${one} → ${other}`]];
}

/** Key details have their number as a text. */
const numberIn = (word: string | number | boolean | undefined): number | undefined =>
  /^\d{1,9}$/.test(String(word ?? '').trim()) ? Number(word) : undefined;

function tested({ before, after }: Sides<FactWords>): Point[] {
  if (after.tested === undefined || before.tested === after.tested) return [];
  if (after.tested === false)
    return [[GRAVITY.testFailed, before.tested === true ? 'tested: Yes → No' : 'tested: No']];
  return before.tested === false ? [[GRAVITY.better, 'tested: No → Yes']] : [];
}
