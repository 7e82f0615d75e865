import type { CaptureAnswer, Rejection } from './capture-command.js';

/** What the log shows as the answer. */
export const inWords = ({ area, recorded, duplicates, rejected, session }: CaptureAnswer): string =>
  [
    `${area ?? 'No area'}: ${recorded.length} recorded`,
    ...(duplicates.length > 0 ? [`${duplicates.length} known`] : []),
    ...(rejected.length > 0 ? [`${rejected.length} rejected (${reasonsOf(rejected)})`] : []),
    `${session.pending} pending`,
  ].join(', ');

const MOST_REASONS = 5;

/** `photograph 2: The picture is damaged.`, numbered as a person counts. */
function reasonsOf(rejected: readonly Rejection[]): string {
  const reasons = rejected
    .slice(0, MOST_REASONS)
    .map(({ index, message }) => `photograph ${index + 1}: ${message}`);
  const more = rejected.length - reasons.length;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join(' ');
}
