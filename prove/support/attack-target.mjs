/** A server that flows call: it returns the answers that an attack needs, by path. */
import { once } from 'node:events';
import http from 'node:http';

const MEGABYTE = 1024 * 1024;

/** 13 kB: each level refers twice to the next, so that it doubles when references are expanded. */
function branchingSchema() {
  const $defs = {};
  for (let level = 0; level < 60; level++) {
    const next = { $ref: `#/$defs/l${level + 1}` };
    $defs[`l${level}`] = { anyOf: [next, { description: 'x'.repeat(100), ...next }] };
  }
  // A schema that refers to itself has no size by which it could be refused.
  $defs.l60 = { type: 'string', properties: { again: { $ref: '#/$defs/l0' } } };
  return { type: 'object', properties: { value: { $ref: '#/$defs/l0' } }, required: ['value'], $defs };
}

/** 700 kB: objects within objects, as text, since no JSON writer goes that deep. */
const DEEP_LEVELS = 20_000;
const DEEP = `${'{"type":"object","properties":{"p":'.repeat(DEEP_LEVELS)}{"type":"string"}${'}}'.repeat(DEEP_LEVELS)}`;
const DEEP_PLACE = { deep: 'here' };

const toolNamed = (name, more = {}) => ({ name, description: 'x', inputSchema: { type: 'object' }, ...more });

/** The tools of an MCP server, by the path of the request. */
const listings = {
  '/mcp/branching': () => [toolNamed('branch', { inputSchema: branchingSchema() })],
  '/mcp/deep': () => [toolNamed('branch', { inputSchema: DEEP_PLACE })],
  '/mcp/large': () =>
    Array.from({ length: 100 }, (_, index) => toolNamed(`tool${index}`, { description: 'x'.repeat(30_000) })),
};

function answerMcp(tools, message) {
  const result = {
    initialize: () => ({
      protocolVersion: message.params?.protocolVersion ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'target', version: '1' },
    }),
    'tools/list': () => ({ tools: tools() }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  }[message.method];
  return result === undefined
    ? { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown' } }
    : { jsonrpc: '2.0', id: message.id, result: result() };
}

/** A model that answers yes, as a stream. */
function sayYes(response) {
  const chunk = (delta, reason = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.end(`${chunk({ content: 'yes' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
}

/** Events of 4 MB, each of a million values. */
function sayWide(response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (let event = 0; event < 4; event++)
    response.write(`data: {"choices":[{"delta":{"content":"x","more":[${'[],'.repeat(1_000_000)}[]]}}]}\n\n`);
  response.end('data: [DONE]\n\n');
}

export async function startTarget() {
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url.split('?')[0];
    const json = (text) => response.setHeader('Content-Type', 'application/json').end(text);
    if (path === '/hang') return;
    if (path === '/called') target.called++;
    if (path === '/wide') return void json(`[${'[],'.repeat(3.3 * MEGABYTE)}[]]`);
    if (path === '/deep') return void json(`${'['.repeat(4 * MEGABYTE)}${']'.repeat(4 * MEGABYTE)}`);
    if (path === '/objects') return void json(`[${'{"a":{}},'.repeat(MEGABYTE)}{}]`);
    if (path === '/v1/chat/completions') return void sayYes(response);
    if (path === '/wide-model/chat/completions') return void sayWide(response);
    if (!(path in listings)) return void json('{}');
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString());
    if (message.id === undefined) return void response.writeHead(202).end();
    json(JSON.stringify(answerMcp(listings[path], message)).replace(JSON.stringify(DEEP_PLACE), DEEP));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${server.address().port}`;
  const target = {
    host,
    url: `http://${host}`,
    called: 0,
    close: () => (server.closeAllConnections(), server.close()),
  };
  return target;
}
