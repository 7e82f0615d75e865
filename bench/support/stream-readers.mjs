/**
 * Many readers of streams in a process of their own: `node stream-readers.mjs <url> <readers> <openai|flow>`. Prints
 * the gaps between tokens (p99, ms), how many streams ended with all of their 50 tokens, and how the first others
 * ended.
 */
import http from 'node:http';

const [, , url, readers, form] = process.argv;
const TOKENS = 50;
const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });
const gaps = [];
const word = /word\d+ /g;
const bodies = {
  flow: { question: 'Hello', streaming: true },
  openai: { model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
};

const read = () =>
  new Promise((resolve) => {
    const request = http.request(
      url,
      { method: 'POST', agent, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        let text = '';
        let tokens = 0;
        let before;
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
          const now = performance.now();
          const come = text.match(word)?.length ?? 0;
          for (; tokens < come; tokens++) {
            if (before !== undefined) gaps.push(now - before);
            before = now;
          }
        });
        response.on('close', () => {
          const faults =
            tokens === TOKENS ? undefined : `${response.statusCode} ${tokens} ${text.slice(-200)}`;
          resolve(faults);
        });
      },
    );
    request.on('error', ({ message }) => resolve(message));
    request.end(JSON.stringify(bodies[form]));
  });

const streams = [];
for (let reader = 0; reader < Number(readers); reader++) {
  streams.push(read());
  // Starts them over two seconds, as people would.
  if (reader % 20 === 19) await new Promise((resolve) => setTimeout(resolve, 20));
}
const faults = (await Promise.all(streams)).filter((fault) => fault !== undefined);
for (const fault of faults.slice(0, 3)) console.error(fault);
const whole = streams.length - faults.length;
gaps.sort((one, other) => one - other);
console.log(
  JSON.stringify({ whole, p99: gaps[Math.floor(gaps.length * 0.99)], p50: gaps[gaps.length >> 1] }),
);
