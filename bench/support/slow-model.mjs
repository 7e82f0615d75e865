/** An OpenAI-compatible model that streams 50 tokens, one every 200 ms. Prints its base address. */
import { createServer } from 'node:http';

const TOKENS = 50;
const EVERY_MS = 200;
const chunk = (delta, reason = null) =>
  `data: ${JSON.stringify({ id: 's', object: 'chat.completion.chunk', created: 1, model: 'slow', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent++ < TOKENS) return void response.write(chunk({ content: `word${sent} ` }));
    clearInterval(timer);
    response.write(chunk({}, 'stop'));
    response.end('data: [DONE]\n\n');
  }, EVERY_MS);
  response.on('close', () => clearInterval(timer));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  console.log(`http://127.0.0.1:${server.address().port}/v1`),
);
