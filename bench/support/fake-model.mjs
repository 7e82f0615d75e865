/** An OpenAI-compatible model that streams a fixed answer of this many words at once. Prints its base address. */
import { createServer } from 'node:http';

const SENTENCE = 'The quick brown fox jumps over the lazy dog and says no more about it'.split(' ');
const WORDS = Array.from(
  { length: Number(process.argv[2] ?? SENTENCE.length) },
  (_, index) => SENTENCE[index % SENTENCE.length],
);
const chunk = (choices, more = {}) =>
  `data: ${JSON.stringify({ id: 'f', created: 1, model: 'fake', object: 'chat.completion.chunk', choices, ...more })}\n\n`;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const word of WORDS)
      response.write(
        chunk([{ index: 0, delta: { role: 'assistant', content: `${word} ` }, finish_reason: null }]),
      );
    response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]));
    response.write(chunk([], { usage: { prompt_tokens: 7, completion_tokens: 15, total_tokens: 22 } }));
    response.end('data: [DONE]\n\n');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
