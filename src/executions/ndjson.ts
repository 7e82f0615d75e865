import type { Response } from 'express';

/** A reader that takes nothing for so long is gone. */
const PATIENCE_MS = 60_000;

/**
 * Sends groups of values as NDJSON, one a line. The next group is asked for when the reader has taken the last one,
 * so a slow reader costs one group of memory. A failure after the first line can only break the answer off.
 */
export async function sendLines(
  response: Response,
  groups: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  try {
    for await (const group of groups) {
      const lines = group.map((value) => `${JSON.stringify(value)}\n`).join('');
      if (lines !== '' && !response.write(lines)) await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    response.destroy();
  }
}

function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), PATIENCE_MS);
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
