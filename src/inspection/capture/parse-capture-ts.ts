import { DateTime } from 'luxon';

/** The fault of a `captureTs`: unreadable or implausible, or more than a year old. */
export type TimeOddity = 'unreadable' | 'old';

/** The result of reading `captureTs`: an instant (epoch milliseconds), and an oddity to report to the caller. */
export type CaptureTime =
  | { instant: number; oddity?: TimeOddity }
  /** Absent or unreadable: the server's time is used instead. */
  | { instant: undefined; oddity?: TimeOddity };

const LONGEST = 64;
const DAY_MS = 86_400_000;
const OLD_MS = 365 * DAY_MS;

/** The first plausible time. Earlier ones are defaults of systems without a clock: 0, the year 1, 1980. */
const FIRST = Date.UTC(1990, 0, 1);

/**
 * Reads the time at which a message was sent according to its messenger (description section 2.4, contract section 5):
 * unix seconds, milliseconds, microseconds or nanoseconds by the number of digits; ISO 8601, in UTC unless it has an
 * offset; RFC 2822. A time before 1990 or more than a day after receipt is unreadable and counts as missing; an old one is
 * used. Both give an oddity for `warnings`. `receivedAt` is the server's time in epoch milliseconds.
 */
export function parseCaptureTs(value: unknown, receivedAt: number): CaptureTime {
  if (value === undefined || value === null) return { instant: undefined };
  const text =
    typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined;
  if (text === '') return { instant: undefined };
  const instant = text === undefined || text.length > LONGEST ? undefined : readInstant(text);
  if (instant === undefined || !(instant >= FIRST && instant <= receivedAt + DAY_MS)) {
    return { instant: undefined, oddity: 'unreadable' };
  }
  if (instant < receivedAt - OLD_MS) return { instant, oddity: 'old' };
  return { instant };
}

const readInstant = (text: string): number | undefined =>
  readDigits(text) ?? readIso(text) ?? readRfc2822(text);

/** Digits before the point: to 11 seconds, to 14 milliseconds, to 17 microseconds, to 20 nanoseconds. */
function readDigits(text: string): number | undefined {
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
  if (match === null) return undefined;
  const whole = match[1]!;
  const digits = whole.length;
  if (digits <= 11) return Math.floor(Number(whole) * 1000 + Number(`0.${match[2] ?? '0'}`) * 1000);
  if (digits <= 14) return Number(whole);
  return Number(BigInt(whole) / (digits <= 17 ? 1_000n : 1_000_000n));
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](.{5,40}))?$/;
const isoBasicDate = /^(\d{4})(\d{2})(\d{2})[Tt](.{4,40})$/;
const isoTime = /^(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,12}))?)? ?([Zz]|[+\u2212-]\d{2}(?::?\d{2})?)?$/;

function readIso(text: string): number | undefined {
  const date = isoDate.exec(text) ?? isoBasicDate.exec(text);
  if (date === null) return undefined;
  const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const midnight = DateTime.fromObject({ year, month, day }, { zone: 'utc' }).toMillis();
  if (date[4] === undefined) return midnight;
  const time = isoTime.exec(date[4]);
  if (time === null) return undefined;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return undefined;
  const offset = offsetMinutes(time[5]);
  if (offset === undefined) return undefined;
  const milliseconds = Math.floor(Number(`0.${time[4] ?? '0'}`) * 1000);
  return midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
}

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Minutes east of UTC of `Z`, `+01`, `+0100`, `-05:30`; none means UTC. */
function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toLowerCase() === 'z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith('+') ? 1 : -1) * (hours * 60 + minutes);
}

/** `Sun, 25 Oct 2026 01:30:00 +0100`; British Summer Time is understood although the standard does not name it. */
function readRfc2822(text: string): number | undefined {
  const bare = text
    .replace(/^[A-Za-z]{3,9}, ?/, '')
    .replace(/ BST$/i, ' +0100')
    .replace(/ (UTC?|Z)$/i, ' GMT');
  const read = DateTime.fromRFC2822(bare, { zone: 'utc' });
  return read.isValid ? read.toMillis() : undefined;
}
