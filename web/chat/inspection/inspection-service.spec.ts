import type { PreviousItem } from '../../../src/api/previous-items.js';
import { SessionService } from '../recorded/session-service.js';
import { FlowService } from '../turns/service.js';
import { InspectionService } from './inspection-service.js';
import type { InspectionPlace } from './place.js';

describe('items recorded as at the check-in', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('are sent again under the same keys, one for each call, so that none is recorded twice', async () => {
    const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}));
    const service = new SessionService('flow', new FlowService('flow'));
    const place = { flowId: 'flow', sessionId: () => 'chat', service } as unknown as InspectionPlace;
    const items = Array.from({ length: 501 }, (_, index) => ({ item: `Item ${index}` }) as PreviousItem);
    const record = new InspectionService(place).recordingAsBefore('Kitchen', items);
    await record();
    await record();
    const keys = fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));
    expect(keys).toHaveLength(4);
    expect(keys.slice(2)).toEqual(keys.slice(0, 2));
    expect(new Set(keys).size).toBe(2);
  });
});
