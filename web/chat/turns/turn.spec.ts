import { type Answer, Unreachable } from '../../common/answer.js';
import type { FlowService } from './service.js';
import { type Ending, TurnRunner } from './turn.js';

const frame = (n: number, event: string, data: unknown) =>
  `id: t:${n}\ndata: ${JSON.stringify({ event, data })}\n\n`;

/** An answer in these pieces that ends or, with `broken`, breaks off. */
function answerOf(status: number, pieces: readonly string[], broken = false): Answer {
  async function* all() {
    yield* pieces;
    if (broken) throw new Unreachable();
  }
  const type = status === 200 ? 'text/event-stream' : 'text/html';
  return { status, header: (name) => (name === 'Content-Type' ? type : null), pieces: all() };
}

/** Runs a turn whose stream breaks after one token. `resumed`: the answers to the attempts to resume it. */
async function endingOf(...resumed: Answer[]): Promise<Ending> {
  const service = {
    predict: async () => answerOf(200, [frame(1, 'token', 'Dry ')], true),
    resume: async () => resumed.shift()!,
  } as Partial<FlowService> as FlowService;
  const turn = { question: { question: 'Hall?', chatId: 'c' }, idempotencyKey: 'k', maySend: true };
  const ignored = () => undefined;
  const listener = { arrived: ignored, text: ignored, seen: ignored, reconnecting: ignored };
  const ending = new TurnRunner(service, turn, listener, new AbortController().signal).run();
  await jest.runAllTimersAsync();
  return ending;
}

describe('an answer whose stream breaks', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { addEventListener: () => undefined, removeEventListener: () => undefined });
  });
  afterEach(() => void jest.useRealTimers());

  it.each([502, 503, 504])('is resumed after %d, which a restarting service causes', async (status) => {
    const rest = answerOf(200, [frame(2, 'token', 'hall'), frame(3, 'end', '[DONE]')]);
    const ending = await endingOf(answerOf(status, ['<html>']), rest);
    expect(ending).toMatchObject({ type: 'answered', text: 'Dry hall' });
  });

  it('ends when the service refuses to resume it', async () => {
    expect(await endingOf(answerOf(401, ['{}']))).toMatchObject({
      type: 'refused',
      problem: { status: 401 },
    });
  });
});
