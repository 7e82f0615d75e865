/** One event of a streamed answer. `id` is sent back to resume after a lost connection. */
export interface StreamEvent {
  id: string;
  event: string;
  data: unknown;
}

/** Parses the text of an event stream, split at any point. Unknown events are ignored. */
export class EventReader {
  private rest = '';

  /** Returns the events completed by this piece. */
  read(piece: string): StreamEvent[] {
    const frames = (this.rest + piece).split('\n\n');
    this.rest = frames.pop() ?? '';
    return frames.flatMap((frame) => eventIn(frame));
  }
}

function eventIn(frame: string): StreamEvent[] {
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
