import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as Pino, type LoggerOptions, pino } from 'pino';
import { readableLine } from './readable-line.js';

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
    const lines = readable ? readableLines(output ?? pino.destination(1)) : output;
    this.pino = lines ? pino(options, lines) : pino(options);
  }

  /** Whether lines of this level are written. */
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
