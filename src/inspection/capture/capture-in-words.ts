import type { CaptureAnswer } from '../../api/inspections.js';
import type { FactKind, RecordedFact } from '../facts/fact.js';
import type { Rejection } from './capture-command.js';

/** The answer of a capture as one line, for the execution log. */
export const inWords = ({
  area,
  recorded,
  duplicates,
  rejected,
  recordedFacts = [],
  session,
}: CaptureAnswer): string =>
  [
    `${area ?? 'No area'}: ${recorded.length} recorded`,
    ...(recordedFacts.length > 0 ? [factsInWords(recordedFacts)] : []),
    ...(duplicates.length > 0 ? [`${duplicates.length} known`] : []),
    ...(rejected.length > 0 ? [`${rejected.length} rejected (${reasonsOf(rejected)})`] : []),
    `${session.pending} pending`,
  ].join(', ');

/** `2 observations, 1 reading`. */
function factsInWords(facts: readonly RecordedFact[]): string {
  const counts = new Map<FactKind, number>();
  for (const { kind } of facts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const named = (kind: FactKind, count: number) => (kind === 'keys' || count === 1 ? kind : `${kind}s`);
  return [...counts].map(([kind, count]) => `${count} ${named(kind, count)}`).join(', ');
}

const MOST_REASONS = 5;

/** `photograph 2: The picture is damaged.`, numbered from 1. */
function reasonsOf(rejected: readonly Rejection[]): string {
  const reasons = rejected
    .slice(0, MOST_REASONS)
    .map(({ index, message }) => `photograph ${index + 1}: ${message}`);
  const more = rejected.length - reasons.length;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join(' ');
}
