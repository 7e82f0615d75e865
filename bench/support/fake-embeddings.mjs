/** An embedding model that answers at once: 384 numbers that depend on the text alone. Prints its base address. */
import { createServer } from 'node:http';

const DIMENSIONS = 384;

function vectorOf(text) {
  let state = 2_166_136_261;
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 16_777_619);
  return Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >> 12) / 524_288;
  });
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }),
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
