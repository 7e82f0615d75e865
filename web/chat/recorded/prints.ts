import type { Thumbnails } from '../photographs/thumbnails.js';
import type { RecordedPhotographs } from './recorded-photographs.js';
import type { SessionService } from './session-service.js';

/** Pictures from the service, of photographs that the device has no longer or cannot draw. */
export class Prints {
  private readonly asked = new Set<string>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: {
      service: SessionService;
      session: () => string;
      recorded: RecordedPhotographs;
      thumbnails: Thumbnails;
    },
  ) {}

  /** Makes the small copy of one that has none; they are fetched one after another. */
  draw(messageId: string): void {
    if (this.asked.has(messageId)) return;
    this.asked.add(messageId);
    this.queue = this.queue
      .then(() => this.drawNow(messageId))
      .catch(() => undefined)
      .then(() => this.asked.delete(messageId));
  }

  /** As it is printed; undefined where it was not recorded, or there is no connection. */
  async large(messageId: string): Promise<Blob | undefined> {
    const { service, session, recorded } = this.parts;
    const photograph = recorded.told(messageId);
    return photograph && service.print(session(), photograph.id).catch(() => undefined);
  }

  private async drawNow(messageId: string): Promise<void> {
    const { service, session, recorded, thumbnails } = this.parts;
    const photograph = recorded.told(messageId);
    if (!photograph || thumbnails.url(messageId) !== undefined) return;
    const sessionId = session();
    const print = await service.print(sessionId, photograph.id);
    // Small copies are kept as they were before any turn, so the print's own turn must be known for sure.
    const { turn } = await service.photograph(sessionId, photograph.id);
    if (turn !== photograph.turn) return recorded.refresh();
    if (sessionId === session()) await thumbnails.make(messageId, print, turn);
  }
}
