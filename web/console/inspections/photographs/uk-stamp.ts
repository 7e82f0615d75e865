const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Formats a photograph's time as the report prints it, in UK time: `25 Oct 2026, 01:30 BST`. */
export function ukStamp(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const parts = new Map(london.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const zone = part('timeZoneName') === 'GMT' ? 'GMT' : 'BST';
  const month = MONTHS[Number(part('month')) - 1] ?? '';
  return `${part('day').replace(/^0/, '')} ${month} ${part('year')}, ${part('hour')}:${part('minute')} ${zone}`;
}

/** Formats the date of a cover: `25 Oct 2026`. */
export const ukDay = (iso: string): string => ukStamp(iso).split(',')[0] ?? '';
