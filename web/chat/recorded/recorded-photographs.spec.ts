import { BrowserStorage } from '../../common/browser-storage.js';
import { memory } from '../photographs/tray.fixture.js';
import { RecordedPhotographs } from './recorded-photographs.js';
import type { SessionService } from './session-service.js';

/** A service that has recorded every photograph that it is asked for. */
const service = {
  photographs: async (_session: string, ids: readonly string[]) => ({
    photographs: new Map(ids.map((id) => [id, { id, area: 'Kitchen', turn: 0, withdrawn: false }])),
    areas: ['Kitchen'],
  }),
} as Partial<SessionService> as SessionService;

describe('the recorded photographs of a chat', () => {
  it('include those of messages that the device no longer stores', async () => {
    const device = memory();
    const storage = new BrowserStorage(() => device, 'chat:');
    const visit = async (...sent: string[]) => {
      const recorded = new RecordedPhotographs({
        ...{ service, sessionId: 'chat', storage, sent: () => sent },
        inspects: () => true,
        answered: () => true,
        notify: () => undefined,
      });
      await recorded.refresh();
      return [...recorded.snapshot().photographs.keys()];
    };
    await visit('first', 'second');
    expect(await visit('second', 'third')).toEqual(['first', 'second', 'third']);
    expect(await visit('third')).toEqual(['first', 'second', 'third']);
  });
});
