import { Unreachable } from '../../common/answer.js';

/**
 * Yields the body of a response as it arrives. Throws `Unreachable` when it breaks off, and after `silenceMs` without data:
 * a dead connection may never be reported as closed, for instance when a phone changes networks.
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

/** Reads the rest of a body so that its connection can be reused. */
async function drain(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection is gone, so there is nothing to drain.
  }
}
