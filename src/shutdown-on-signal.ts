import type { Logger } from './common/logger.js';

/** Beyond all that a stop waits for. What a database that is away keeps from ending then is ended at the next start. */
const LONGEST_STOP_MS = 18_000;

/** A terminal signals the whole process group, and `npm start` forwards its signal: both count as one. */
const ONE_SIGNAL_MS = 500;

/**
 * On SIGTERM, SIGINT or SIGHUP has `stop` end what runs; the process then ends with 0. It ends with 1 where that fails
 * or takes longer than 18 seconds, and at once on a second signal. The log tells when a stop begins and when it is over.
 */
export function shutdownOnSignal(logger: Logger, stop: () => Promise<void>): void {
  const isTerminal = process.stdout.isTTY;
  let told: 'not yet' | 'just now' | 'before' = 'not yet';
  const hear = (signal: NodeJS.Signals): void => {
    if (told === 'before')
      end(1, () => logger.warn({ signal }, 'told to stop again: the service ends at once'));
    if (told !== 'not yet') return;
    told = 'just now';
    setTimeout(() => (told = 'before'), ONE_SIGNAL_MS).unref();
    setTimeout(() => end(1, () => logger.error({}, TOO_LONG)), LONGEST_STOP_MS).unref();
    // A terminal sends SIGHUP when it closes: a line to it could not be written, and would keep the process from ending.
    const say = (fields: object, line: string): void => {
      if (!isTerminal || signal !== 'SIGHUP') logger.info(fields, line);
    };
    say({ signal }, 'stopping: calls under way have 8 seconds to end');
    stop().then(
      () => end(0, () => say({}, 'stopped')),
      (error: unknown) => end(1, () => logger.error({ err: error }, 'the service could not stop cleanly')),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, hear);
}

const TOO_LONG = 'the service could not stop in time; what is left is recovered at the next start';

function end(code: number, say: () => void): never {
  say();
  process.exit(code);
}
