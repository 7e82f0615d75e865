/** One event of a streamed answer; `id` is what the service wants back after a lost connection. */
export interface StreamEvent {
  id: string;
  event: string;
  data: unknown;
}

/** Parses the text of a stream, wherever the network has cut it. Events that are not ours are ignored. */
export class EventReader {
  private rest = '';

  /** The events that are complete with this piece. */
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
