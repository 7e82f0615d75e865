import type { Logger } from './common/logger.js';

/** Longer than every timeout of the shutdown. The next start recovers what is still unwritten then. */
const LONGEST_STOP_MS = 18_000;

/** Signals within this time count as one: a terminal signals the whole process group, `npm start` forwards its own. */
const ONE_SIGNAL_MS = 500;

/**
 * Calls `stop` on SIGTERM, SIGINT or SIGHUP, then ends the process with 0. Ends it with 1 if `stop` fails or takes
 * longer than 18 seconds, and at once on a second signal.
 */
export function shutdownOnSignal(logger: Logger, stop: () => Promise<void>): void {
  const isTerminal = process.stdout.isTTY;
  let told: 'not yet' | 'just now' | 'before' = 'not yet';
  const hear = (signal: NodeJS.Signals): void => {
    if (told === 'before') end(1, () => logger.warn({ signal }, 'second signal: the service ends at once'));
    if (told !== 'not yet') return;
    told = 'just now';
    setTimeout(() => (told = 'before'), ONE_SIGNAL_MS).unref();
    setTimeout(() => end(1, () => logger.error({}, TOO_LONG)), LONGEST_STOP_MS).unref();
    // After SIGHUP the terminal is closed: writing to it would fail and keep the process from ending.
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
