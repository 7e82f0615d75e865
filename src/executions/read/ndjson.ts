import type { Response } from 'express';
import { LINES, StreamWriter } from '../../common/http/stream-writer.js';

/**
 * Sends groups of values as NDJSON, one a line. The next group is read when the reader has taken the last one
 * (backpressure), so a slow reader costs one group of memory. A failure after the first line can only cut the answer
 * off.
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
