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
  it('have a current area that is a guess until it is read again after each change', async () => {
    const device = memory();
    const readings: (() => void)[] = [];
    const slow = {
      ...service,
      photographs: (session: string, ids: readonly string[]) =>
        new Promise((read) => readings.push(() => read(service.photographs(session, ids)))),
    } as SessionService;
    const recorded = new RecordedPhotographs({
      ...{ service: slow, sessionId: 'chat', storage: new BrowserStorage(() => device, 'chat:') },
      sent: () => ['first'],
      inspects: () => true,
      answered: () => true,
      notify: () => undefined,
    });
    const { isGuess: atFirst } = recorded.snapshot();
    const first = recorded.refresh();
    const { isGuess: atAnswer } = recorded.snapshot();
    await Promise.resolve();
    // Another answer comes while the service is asked.
    const second = recorded.refresh();
    readings.shift()!();
    await first;
    const { isGuess: afterFirst } = recorded.snapshot();
    readings.shift()!();
    await second;
    const { isGuess: atLast } = recorded.snapshot();
    expect([atFirst, atAnswer, afterFirst, atLast]).toEqual([false, true, true, false]);
  });

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
