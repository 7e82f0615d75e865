import { adminKey } from './admin-key.js';
import { endedRecord, followRun } from './follow-run.js';

const frame = (n: number, event: string, data: unknown) =>
  `id: t:${n}\ndata: ${JSON.stringify({ event, data })}\n\n`;
const END = frame(3, 'end', '[DONE]');

/** A stream of these events that ends or, with `broken`, breaks off. */
function streamOf(frames: readonly string[], broken = false): Response {
  const left = frames.map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream({
    pull(stream) {
      const next = left.shift();
      if (next) stream.enqueue(next);
      else if (broken) stream.error(new TypeError('network error'));
      else stream.close();
    },
  });
  return new Response(body, { headers: { 'X-Execution-Id': 'e1' } });
}

const problem = (status: number, code: string): Response =>
  new Response(JSON.stringify({ code, detail: 'No.' }), { status });

describe('a run that is followed from the console', () => {
  const calls = jest.fn<Promise<Response>, [string, RequestInit]>();
  const reported: string[] = [];
  const listener = {
    begun: (id: string) => reported.push(`begun ${id}`),
    event: ({ event }: { event: string }) => reported.push(event),
    reconnecting: (yes: boolean) => reported.push(yes ? 'lost' : 'there'),
  };

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(adminKey, 'wanted').mockResolvedValue('ak_of_the_test');
    Object.assign(globalThis, { addEventListener: () => undefined, removeEventListener: () => undefined });
    jest.spyOn(globalThis, 'fetch').mockImplementation(calls as unknown as typeof fetch);
    calls.mockReset();
    reported.length = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Answers the calls of a run with these, in order. */
  async function followed(...answers: Response[]): Promise<boolean | Error> {
    for (const answer of answers) calls.mockResolvedValueOnce(answer);
    calls.mockRejectedValue(new TypeError('Failed to fetch'));
    const run = followRun('f', { question: 'Hi' }, listener, new AbortController().signal);
    const ending = run.catch((error: Error) => error);
    await jest.runAllTimersAsync();
    return ending;
  }

  it('is reported when nothing breaks', async () => {
    expect(await followed(streamOf([frame(1, 'token', 'a'), END]))).toBe(true);
    expect(reported).toEqual(['there', 'begun e1', 'token', 'end']);
  });

  it('resumes after the last event, also when the service is down for a while', async () => {
    const before = streamOf([frame(1, 'token', 'a')], true);
    const after = streamOf([frame(2, 'token', 'b'), END]);
    expect(await followed(before, problem(503, 'shutting_down'), after)).toBe(true);
    expect(reported.filter((word) => word === 'token')).toHaveLength(2);
    const [path, { headers }] = calls.mock.calls.at(-1)!;
    expect(path).toBe('/api/v1/flows/f/run/stream');
    expect(headers).toMatchObject({ 'Last-Event-ID': 't:1' });
  });

  it('leaves the rest to the record when the stream cannot be resumed', async () => {
    const begun = () => streamOf([frame(1, 'token', 'a')], true);
    expect(await followed(begun(), problem(410, 'stream_expired'))).toBe(false);
    expect(calls).toHaveBeenCalledTimes(2);
    expect(await followed(begun())).toBe(false);
    expect(await followed(streamOf([], true))).toBe(false);
  });

  it('throws when it is refused or does not arrive', async () => {
    expect(await followed(problem(402, 'insufficient_credit'))).toMatchObject({ status: 402 });
    expect(await followed()).toMatchObject({ code: 'unreachable' });
    expect(reported).toEqual([]);
  });

  it('has its record once it has ended, despite broken connections', async () => {
    const record = (status: string) =>
      new Response(JSON.stringify({ id: 'e1', status, finishedAt: null, nodes: [] }));
    calls
      .mockResolvedValueOnce(record('running'))
      .mockRejectedValueOnce(new TypeError('Failed to fetch'))
      .mockResolvedValueOnce(record('failed'));
    const ended = endedRecord('e1', new AbortController().signal);
    await jest.runAllTimersAsync();
    expect(await ended).toMatchObject({ status: 'failed' });
  });

  it('is unknown when its record cannot be read', async () => {
    calls.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')));
    const { signal } = new AbortController();
    const unknown = expect(endedRecord('e1', signal)).rejects.toMatchObject({ executionId: 'e1' });
    await jest.runAllTimersAsync();
    await unknown;
    calls.mockImplementation(() => Promise.resolve(problem(404, 'not_found')));
    await expect(endedRecord('e1', signal)).rejects.toMatchObject({ status: 404 });
  });
});
