import { adminKey } from '../../api/admin-key.js';
import { watchRender } from './watch-render.js';

const RESULT = { file: { id: 'r' }, claimed: 1 };
const ended = () => new Response(`data: ${JSON.stringify({ event: 'result', data: RESULT })}\n\n`);
const refused = (status: number, code: string, headers = {}) =>
  new Response(JSON.stringify({ code, detail: 'No.' }), { status, headers });

describe('a render that is watched', () => {
  const calls = jest.fn<Promise<Response>, []>();

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(adminKey, 'wanted').mockResolvedValue('ak_of_the_test');
    jest.spyOn(globalThis, 'fetch').mockImplementation(calls);
    calls.mockReset();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is watched again after as long as the service asks for', async () => {
    calls.mockResolvedValueOnce(refused(429, 'rate_limited', { 'Retry-After': '30' }));
    calls.mockResolvedValueOnce(ended());
    const watched = watchRender('claim', () => undefined);
    watched.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(29_000);
    expect(calls).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await watched).toEqual(RESULT);
  });

  it('is given up when the service does not know it', async () => {
    calls.mockResolvedValueOnce(refused(404, 'not_found'));
    await expect(watchRender('claim', () => undefined)).rejects.toMatchObject({ code: 'not_found' });
  });
});
