import { Unreachable } from '../../common/answer.js';

/**
 * The body of an answer as it comes. Throws `Unreachable` when it breaks off, and when nothing came for `silenceMs`: a
 * dead connection may never be reported as closed (a telephone that changed its network).
 */
export async function* piecesOf({ body }: Response, silenceMs?: number): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await read(reader, silenceMs);
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    void drain(reader);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function read(reader: Reader, silenceMs: number | undefined): ReturnType<Reader['read']> {
  return new Promise((resolve, reject) => {
    const broken = (cause: unknown) => reject(new Unreachable('The answer broke off.', { cause }));
    const silent = () => {
      broken(new Error('silence'));
      void reader.cancel().catch(() => undefined);
    };
    const timer = silenceMs === undefined ? undefined : setTimeout(silent, silenceMs);
    reader
      .read()
      .then(resolve, broken)
      .finally(() => clearTimeout(timer));
  });
}

/** Reads what is left of a body, so that its connection can be used again. */
async function drain(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke off: nothing is left to drain.
  }
}
