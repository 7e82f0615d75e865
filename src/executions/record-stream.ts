import type { Request, Response } from 'express';
import { beginEvents } from '../common/begin-events.js';
import type { ExecutionFeed } from './execution-feed.js';
import type { ExecutionFilters } from './execution-query.js';
import type { ExecutionView } from './execution-view.js';
import { isSameChat } from './telephone-digits.js';

const HEARTBEAT_MS = 15_000;

/** What may wait for one reader; a reader further behind is cut off and can read the list instead. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * Streams the records that the filters let pass as Server-Sent Events `{"event":"execution","data":<record>}`, until the
 * reader leaves.
 */
export function streamRecords(
  request: Request,
  response: Response,
  feed: ExecutionFeed,
  filters: ExecutionFilters,
): void {
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
  };
  if (!beginEvents(response, headers)) return;
  const send = (frame: string) => {
    if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
    else if (!response.destroyed) response.write(frame);
  };
  const leave = feed.watch((record) => {
    if (passes(record, filters)) {
      send(`id: ${record.id}\ndata: ${JSON.stringify({ event: 'execution', data: record })}\n\n`);
    }
  });
  // Whoever has read this may read the list: what comes after the list will be told.
  void feed.ready().then(() => send(':heartbeat\n\n'));
  const heartbeat = setInterval(() => send(':heartbeat\n\n'), HEARTBEAT_MS).unref();
  const end = () => {
    clearInterval(heartbeat);
    leave();
  };
  request.once('close', end);
  response.once('close', end);
}

function passes(record: ExecutionView, filters: ExecutionFilters): boolean {
  const { chatId, from, to, q } = filters;
  const startedAt = Date.parse(record.startedAt);
  const texts = [record.id, record.chatId, record.code, record.error, record.question, record.answer];
  return (
    (chatId === undefined || isSameChat(record.chatId, chatId)) &&
    (['flowId', 'kind', 'status', 'httpStatus'] as const).every(
      (name) => filters[name] === undefined || record[name] === filters[name],
    ) &&
    (from === undefined || startedAt >= from) &&
    (to === undefined || startedAt <= to) &&
    (q === undefined || texts.some((text) => text?.toLowerCase().includes(q.toLowerCase())))
  );
}
