import { type Answer, type Progress, Unreachable } from './answer.js';

/** Pieces that are given one by one and read as they come. */
class Pieces implements AsyncIterable<string> {
  private readonly waiting: string[] = [];
  private ended = false;
  private fault: Error | undefined;
  private wake: (() => void) | undefined;

  add(piece: string): void {
    if (piece !== '') this.waiting.push(piece);
    this.wake?.();
  }

  end(fault?: Error): void {
    this.ended = true;
    this.fault = fault;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      while (this.waiting.length > 0) yield this.waiting.shift()!;
      if (this.fault) throw this.fault;
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/**
 * Posts a form and says how much of it has been sent, which `fetch` cannot. Resolves with the head of the answer; its
 * body comes in pieces. Rejects with `Unreachable` when there is no answer.
 */
export function sendForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  form: FormData,
  signal: AbortSignal,
  progress: Progress,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const pieces = new Pieces();
    let read = 0;
    const more = () => {
      pieces.add(request.responseText.slice(read));
      read = request.responseText.length;
    };
    const lost = () => {
      const fault = new Unreachable('The service cannot be reached.');
      pieces.end(fault);
      reject(fault);
    };
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded, total));
    request.upload.addEventListener('load', () => progress(1, 1));
    request.addEventListener('readystatechange', () => {
      if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return;
      resolve({ status: request.status, header: (name) => request.getResponseHeader(name), pieces });
    });
    request.addEventListener('progress', more);
    request.addEventListener('load', () => (more(), pieces.end()));
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, lost);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) lost();
    else request.send(form);
  });
}
