import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface McpRequest {
  method: string;
  headers: IncomingMessage['headers'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** An MCP server on its own socket, made with the published package. */
export interface TestMcpServer {
  url: string;
  host: string;
  requests: McpRequest[];
  /** Answers instead of the protocol if it returns true. */
  instead: ((request: McpRequest, response: ServerResponse) => boolean) | undefined;
  /** Registers the tools of each connection. */
  offer: (server: McpServer) => void;
  /** Counts the open connections. */
  connections(): number;
  close(): Promise<void>;
}

/** `current` answers without sessions in both revisions; `previous` supports only the one with sessions. */
export async function startMcpServer(revision: 'current' | 'previous'): Promise<TestMcpServer> {
  const sockets = new Set<Socket>();
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const offered = () => {
    const server = new McpServer({ name: 'test', version: '1' });
    test.offer(server);
    return server;
  };
  const handler = createMcpHandler(offered);
  const inSession = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await offered().connect(transport);
    return transport.handleRequest(request);
  };
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', headers } = incoming;
    const seen = { method, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    test.requests.push(seen);
    if (test.instead?.(seen, outgoing)) return;
    const plain = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const request = new Request(test.url, {
      method,
      headers: plain,
      ...(text === '' ? {} : { body: text }),
    });
    const answer = await (revision === 'current' ? handler.fetch(request) : inSession(request));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) outgoing.write(chunk);
    outgoing.end();
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const test: TestMcpServer = {
    url: '',
    host: '',
    requests: [],
    instead: undefined,
    offer: offerSums,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  test.url = `http://${test.host}/mcp`;
  return test;
}

const numbers = {
  type: 'object' as const,
  properties: { a: { type: 'number' as const }, b: { type: 'number' as const } },
  required: ['a', 'b'],
};

/** Registers `add` and `fail`. */
export function offerSums(server: McpServer): void {
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: fromJsonSchema<{ a: number; b: number }>(numbers) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerTool('fail', { description: 'Never works' }, () => ({
    content: [{ type: 'text', text: 'It broke' }],
    isError: true,
  }));
}
