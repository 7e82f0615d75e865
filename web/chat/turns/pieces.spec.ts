import { Unreachable } from '../../common/answer.js';
import { piecesOf } from './pieces.js';

const bytes = new TextEncoder();

async function read(pieces: AsyncIterable<string>): Promise<{ text: string; error?: unknown }> {
  let text = '';
  try {
    for await (const piece of pieces) text += piece;
    return { text };
  } catch (error) {
    return { text, error };
  }
}

describe('the body of an answer', () => {
  it('comes in pieces, even when the network splits a character', async () => {
    const all = bytes.encode('Grüße 👋');
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of all) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await read(piecesOf(new Response(stream)))).toEqual({ text: 'Grüße 👋' });
  });

  it('throws Unreachable when it breaks off', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.encode('half')),
      pull: (controller) => controller.error(new Error('reset')),
    });
    expect(await read(piecesOf(new Response(stream)))).toEqual({
      text: expect.stringMatching(/^(half)?$/) as string,
      error: expect.any(Unreachable) as unknown,
    });
  });

  it('throws Unreachable and drops the connection when it falls silent', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.encode('half')),
      cancel: () => void (cancelled = true),
    });
    const { text, error } = await read(piecesOf(new Response(stream), 30));
    expect([text, error instanceof Unreachable, cancelled]).toEqual(['half', true, true]);
  });
});
