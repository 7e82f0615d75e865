/** Characters of a field's value. */
const LONGEST_VALUE = 100;

interface LoggedError {
  message?: string;
  stack?: string;
}

/**
 * Turns a JSON line of the log into a line for a terminal: local time, level, message, fields. Shows the message of an
 * error, and its stack below when it was logged as an error.
 */
export function readableLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown> & {
    level: string;
    time: string;
    msg: string;
    err?: LoggedError;
  };
  const message = msg || err?.message || '';
  const shown = Object.entries(msg && err ? { err: err.message, ...fields } : fields)
    .map(([name, value]) => `${name}=${valueOf(value)}`)
    .join(' ');
  const line = `${new Date(time).toLocaleTimeString('en-GB')} ${level.padEnd(5)} ${message}${shown && `  ${shown}`}`;
  const stack = level === 'error' || level === 'fatal' ? framesOf(err) : [];
  return [line, ...stack].map((one) => `${printable(one)}\n`).join('');
}

function valueOf(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

const framesOf = (err: LoggedError | undefined): string[] =>
  (err?.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));

/** Escapes control characters, which a terminal would obey. */
const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
