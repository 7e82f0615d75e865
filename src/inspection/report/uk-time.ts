import { DateTime } from 'luxon';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SUMMER_OFFSET = 60;

/**
 * Returns the timestamp of a photograph in UK civil time, truncated to minutes: `25 Oct 2026, 01:30 BST`. The zone
 * distinguishes photographs an hour apart across the autumn clock change (description section 2.5).
 */
export function ukStamp(instant: number): string {
  const time = london(instant);
  const clock = `${two(time.hour)}:${two(time.minute)}`;
  return `${dateOf(time)}, ${clock} ${time.offset === SUMMER_OFFSET ? 'BST' : 'GMT'}`;
}

/** `21 Nov 2026`. */
export function ukDate(instant: number): string {
  return dateOf(london(instant));
}

/** Returns the civil days of a period: `25 Oct 2026`, or `25 Oct 2026 – 26 Oct 2026`. */
export function ukDays(first: number, last: number): string {
  const [from, to] = [ukDate(first), ukDate(last)];
  return from === to ? from : `${from} – ${to}`;
}

/** `20261121`, the first part of the file name. */
export function ukCompactDate(instant: number): string {
  const time = london(instant);
  return `${String(time.year).padStart(4, '0')}${two(time.month)}${two(time.day)}`;
}

const london = (instant: number): DateTime => DateTime.fromMillis(instant, { zone: 'Europe/London' });
const dateOf = (time: DateTime): string => `${time.day} ${MONTHS[time.month - 1]} ${time.year}`;
const two = (value: number): string => String(value).padStart(2, '0');
