import type { PredictionEvent } from '../../src/api/predictions.js';

/** The content of an event. */
export interface WireEvent {
  event: string;
  data: unknown;
}

/** One event of a streamed answer. `id` is sent back to resume after a lost connection. */
export type StreamEvent<Event extends WireEvent = PredictionEvent> = Event & { id: string };

/** Parses the text of an event stream, split at any point. Frames that are not events are ignored. */
export class EventReader<Event extends WireEvent = PredictionEvent> {
  private rest = '';

  /** Returns the events completed by this piece. */
  read(piece: string): StreamEvent<Event>[] {
    const frames = (this.rest + piece).split('\n\n');
    this.rest = frames.pop() ?? '';
    return frames.flatMap((frame) => eventIn(frame)) as StreamEvent<Event>[];
  }
}

function eventIn(frame: string): StreamEvent<WireEvent>[] {
  let id = '';
  let text = '';
  for (const line of frame.split('\n')) {
    if (line.startsWith('id:')) id = line.slice(3).trim();
    else if (line.startsWith('data:')) text += line.slice(5);
  }
  try {
    const { event, data } = JSON.parse(text) as { event?: unknown; data?: unknown };
    return typeof event === 'string' ? [{ id, event, data }] : [];
  } catch {
    return [];
  }
}
