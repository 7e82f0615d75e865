import type { Response } from 'express';
import type { ExecutionRecord } from '../../api/executions.js';
import { EVENTS, eventFrame, LINES, StreamWriter } from '../../common/http/stream-writer.js';
import { isSameChat } from '../log/telephone-digits.js';
import type { ExecutionFeed } from './execution-feed.js';
import type { ExecutionFilters } from './execution-query.js';

/**
 * Streams matching records as Server-Sent Events `{"event":"execution","data":<record>}` until the reader leaves. A
 * reader that is too slow is cut off and can read the list instead.
 */
export function streamRecords(response: Response, feed: ExecutionFeed, filters: ExecutionFilters): void {
  const events = StreamWriter.begin(response, EVENTS);
  if (!events) return;
  const leave = feed.watch((record) => {
    if (passes(record, filters)) events.write(eventFrame('execution', record, record.id));
  });
  // After this heartbeat the reader may read the list: every later record is streamed.
  void feed.ready().then(() => events.beat());
  events.once('closed', leave);
}

function passes(record: ExecutionRecord, filters: ExecutionFilters): boolean {
  const { chatId, address, minDurationMs, from, to, q } = filters;
  const startedAt = Date.parse(record.startedAt);
  const texts = [record.id, record.chatId, record.code, record.error, record.question, record.answer];
  return (
    (chatId === undefined || isSameChat(record.chatId, chatId)) &&
    (['flowId', 'kind', 'status', 'httpStatus', 'code'] as const).every(
      (name) => filters[name] === undefined || record[name] === filters[name],
    ) &&
    (address === undefined || record.caller.address === address) &&
    (minDurationMs === undefined || (record.durationMs ?? -1) >= minDurationMs) &&
    (from === undefined || startedAt >= from) &&
    (to === undefined || startedAt <= to) &&
    (q === undefined || texts.some((text) => text?.toLowerCase().includes(q.toLowerCase())))
  );
}

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
