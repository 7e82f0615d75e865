import type { Thumbnails } from '../photographs/thumbnails.js';
import type { RecordedPhotographs } from './recorded-photographs.js';
import type { SessionService } from './session-service.js';

/** Fetches prints from the service for photographs that the device no longer has or cannot draw. */
export class Prints {
  private readonly queued = new Set<string>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: {
      service: SessionService;
      sessionId: string;
      recorded: RecordedPhotographs;
      thumbnails: Thumbnails;
    },
  ) {}

  /** Makes the missing thumbnail of a photograph. Prints are fetched one at a time. */
  draw(messageId: string): void {
    if (this.queued.has(messageId)) return;
    this.queued.add(messageId);
    this.queue = this.queue
      .then(() => this.drawNow(messageId))
      .catch(() => undefined)
      .then(() => this.queued.delete(messageId));
  }

  /** Fetches the print; undefined when the photograph was not recorded or there is no connection. */
  async large(messageId: string): Promise<Blob | undefined> {
    const { service, sessionId, recorded } = this.parts;
    const photograph = recorded.reported(messageId);
    return photograph && service.print(sessionId, photograph.id).catch(() => undefined);
  }

  private async drawNow(messageId: string): Promise<void> {
    const { service, sessionId, recorded, thumbnails } = this.parts;
    const photograph = recorded.reported(messageId);
    if (!photograph || thumbnails.url(messageId) !== undefined) return;
    const print = await service.print(sessionId, photograph.id);
    // Thumbnails are stored unrotated, so the rotation of this print must be known for sure.
    const { turn } = await service.photograph(sessionId, photograph.id);
    if (turn !== photograph.turn) return recorded.refresh();
    await thumbnails.make(messageId, print, turn);
  }
}
