import { possibleWord } from '../../common/texts/possible-word.js';
import { ukDate, ukStamp } from './uk-time.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?$/;
const OFFSET = /(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/;

/**
 * Formats an ISO date, time, or both for print: `3 Nov 2025`, `09:30`, `3 Nov 2025, 09:30`. With an offset, the time is that
 * of the United Kingdom with its zone. Returns undefined for any other text.
 */
export function civilTime(text: string): string | undefined {
  const [day = '', clock, ...rest] = possibleWord(text).split(/[T ]/);
  if (rest.length > 0) return undefined;
  if (clock === undefined) return dateInWords(day) ?? clockInWords(day);
  const date = dateInWords(day);
  const offset = OFFSET.exec(clock)?.[0];
  if (date === undefined) return undefined;
  if (offset === undefined) {
    const time = clockInWords(clock);
    return time === undefined ? undefined : `${date}, ${time}`;
  }
  if (clockInWords(clock.slice(0, -offset.length)) === undefined) return undefined;
  const instant = Date.parse(`${day}T${clock}`);
  return Number.isNaN(instant) ? undefined : ukStamp(instant);
}

function dateInWords(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const at = new Date(`${text}T12:00:00Z`);
  const isReal = year !== '' && !Number.isNaN(at.getTime()) && at.getUTCDate() === Number(day);
  return isReal && at.getUTCMonth() + 1 === Number(month) ? ukDate(at.getTime()) : undefined;
}

const clockInWords = (text: string): string | undefined => {
  const [, hour, minute] = CLOCK.exec(text) ?? [];
  return hour === undefined ? undefined : `${hour}:${minute}`;
};
