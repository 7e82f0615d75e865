import { type Answer, type Progress, Unreachable } from './answer.js';

/** An upload without progress for this long is aborted. */
const SILENCE_MS = 45_000;

/** Posts a form and reports upload progress, which `fetch` cannot. Rejects with `Unreachable` when there is no answer. */
export function sendForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  form: FormData,
  signal: AbortSignal,
  progress: Progress,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), SILENCE_MS);
    };
    const lost = () => {
      clearTimeout(silence);
      reject(new Unreachable('The service cannot be reached.'));
    };
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => (listen(), progress(loaded, total)));
    request.addEventListener('load', () => {
      clearTimeout(silence);
      const { status, responseText } = request;
      resolve({ status, header: (name) => request.getResponseHeader(name), pieces: only(responseText) });
    });
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, lost);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) return lost();
    listen();
    request.send(form);
  });
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}
