/** An OpenAI-compatible model with predictable answers that records when it sent each piece. */
import { once } from 'node:events';
import http from 'node:http';

/** The pieces of the answer to a question; some contain characters that could break a frame. */
const piecesOf = (question, count) =>
  Array.from({ length: count }, (_, index) => `${question}.${index}${index % 7 === 0 ? '\n\nid: é😀' : ''} `);

/** `pieces` and `everyMs` may be changed between answers. */
export async function startTalkingModel(pieces, everyMs) {
  const said = new Map();
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const question = JSON.parse(Buffer.concat(chunks).toString()).messages.at(-1).content;
    const answer = piecesOf(question, model.pieces);
    const times = [];
    said.set(question, times);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const send = (delta, reason = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
      );
    const timer = setInterval(() => {
      if (times.length < answer.length) {
        send({ content: answer[times.length] });
        return void times.push(performance.now());
      }
      clearInterval(timer);
      send({}, 'stop');
      response.end('data: [DONE]\n\n');
    }, model.everyMs);
    response.on('error', () => undefined).on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const model = {
    pieces,
    everyMs,
    url: `http://127.0.0.1:${server.address().port}/v1`,
    answerTo: (question) => piecesOf(question, model.pieces),
    /** Returns the number of pieces of its answer that had been sent at this time. */
    saidBy: (question, time) => (said.get(question) ?? []).filter((at) => at <= time).length,
    close: () => (server.closeAllConnections(), server.close()),
  };
  return model;
}
