import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as Pino, type LoggerOptions, pino } from 'pino';

/**
 * Structured logs, without secrets: keys, authorisation headers and credentials are masked. One JSON line an event; on a
 * terminal, lines for a person to read.
 */
@Injectable()
export class Logger implements LoggerService {
  private readonly pino: Pino;

  constructor(level = 'info', readable = process.stdout.isTTY, output?: DestinationStream) {
    const options: LoggerOptions = {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'apiKey',
          '*.apiKey',
          'key',
          '*.key',
          'headers',
          '*.headers',
          'err.request',
          'err.parameters',
          'err.config',
        ],
        censor: '[masked]',
      },
    };
    // The stream of the greeting too: a second one on the same descriptor would write later when the terminal is slow.
    const lines = readable ? readableLines(output ?? process.stdout) : output;
    this.pino = lines ? pino(options, lines) : pino(options);
  }

  /** Returns true if lines of this level are written. */
  writes(level: 'info' | 'debug'): boolean {
    return this.pino.isLevelEnabled(level);
  }

  info(fields: object, message: string): void {
    this.pino.info(fields, message);
  }

  debug(fields: unknown, message?: unknown): void {
    this.pino.debug(asFields(fields), asText(fields, message));
  }

  warn(fields: unknown, message?: unknown): void {
    this.pino.warn(asFields(fields), asText(fields, message));
  }

  error(fields: unknown, message?: unknown): void {
    this.pino.error(asFields(fields), asText(fields, message));
  }

  /** Nest's own lines about modules and routes: only of interest while debugging. */
  log(fields: unknown, message?: unknown): void {
    this.pino.debug(asFields(fields), asText(fields, message));
  }

  fatal(fields: unknown, message?: unknown): void {
    this.pino.fatal(asFields(fields), asText(fields, message));
  }
}

const asFields = (value: unknown): object =>
  value instanceof Error ? { err: value } : typeof value === 'object' && value !== null ? value : {};

const asText = (fields: unknown, message: unknown): string =>
  typeof fields === 'string' ? fields : typeof message === 'string' ? message : '';

const readableLines = (output: DestinationStream): DestinationStream => ({
  write: (line) => output.write(readableLine(line)),
});

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
function readableLine(json: string): string {
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
