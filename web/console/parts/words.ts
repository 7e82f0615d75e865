const hourAndMinute: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const clock = new Intl.DateTimeFormat('en-GB', hourAndMinute);
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...hourAndMinute });
const year = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  ...hourAndMinute,
});

/** Formats an instant: `14:03:22` today, `3 Nov, 14:03:22` this year, with the year otherwise or when `long`. */
export function instantInWords(
  iso: string,
  form: 'short' | 'long' = 'short',
  now = new Date(),
): string | undefined {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return undefined;
  if (form === 'long' || at.getFullYear() !== now.getFullYear()) return year.format(at);
  return at.toDateString() === now.toDateString() ? clock.format(at) : day.format(at);
}

/** Formats a duration: `12 ms`, `1.24 s`, `12.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const joined = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;

/** Formats a size: `812 B`, `1.5 KB`, `5.2 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

const whole = new Intl.NumberFormat('en-GB');

/** Formats a number: `1,204,000`. */
export const numberInWords = (value: number): string => whole.format(value);

/** Counts things: `1 photograph`, `2 photographs`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;
