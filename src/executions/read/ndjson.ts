import type { Response } from 'express';
import { LINES, StreamWriter } from '../../common/http/stream-writer.js';

/**
 * Sends groups of values as NDJSON. Reads the next group only once the reader has taken the last (backpressure), so a
 * slow reader costs one group of memory. A failure after the first line cuts the answer off.
 */
export async function sendLines(
  response: Response,
  groups: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  let lines: StreamWriter | undefined;
  try {
    for await (const group of groups) {
      lines ??= StreamWriter.begin(response, LINES);
      if (!lines) return;
      lines.write(group.map((value) => `${JSON.stringify(value)}\n`).join(''));
      await lines.taken();
      if (lines.isOver) return;
    }
    lines ??= StreamWriter.begin(response, LINES);
    lines?.end();
  } catch (error) {
    if (!lines) throw error;
    lines.cutOff();
  }
}
