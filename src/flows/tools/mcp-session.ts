import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { timeLimit } from '../../common/time-limit.js';
import type { Json } from '../engine/json.js';
import { isTooLarge } from '../schema/schema-cost.js';
import { IDEMPOTENCY_MEMBER, type McpAddress, mcpFetch } from './mcp-fetch.js';

/** A tool in the list of its server. */
export interface McpTool {
  name: string;
  description?: string;
  parameters: Json;
}

/** The unchecked result of a call. */
export type McpResult = { content?: unknown; structuredContent?: unknown; isError?: unknown };

type Connection = { client: Client; transport: StreamableHTTPClientTransport };

/** Pages of tools that are requested. */
const MOST_PAGES = 20;
/** The time limit for ending a session at its server. */
const GOODBYE_MS = 2_000;

/**
 * A session with an MCP server from the first request to `close`. Supports the current revision of the protocol and the one
 * before. Rejects within the time limit of its address, or with the signal's reason.
 */
export class McpSession {
  private connecting: Promise<Connection> | undefined;
  private readonly over = new AbortController();

  constructor(
    private readonly http: OutboundHttp,
    private readonly address: McpAddress,
  ) {}

  /** Lists the tools; undefined in the place of each with an unsupported description. */
  async tools(signal: AbortSignal): Promise<(McpTool | undefined)[]> {
    return this.bounded(signal, async (bound) => {
      const { client } = await this.connected();
      const { tools } = await client.listTools(undefined, { signal: bound, timeout: this.address.timeoutMs });
      return tools.map(({ name, description, inputSchema }) => {
        const parameters = inputSchema as unknown as Json;
        if (typeof name !== 'string' || name === '' || !isObjectSchema(parameters) || isTooLarge(parameters))
          return undefined;
        return { name, ...(typeof description === 'string' ? { description } : {}), parameters };
      });
    });
  }

  async call(
    { name, parameters }: McpTool,
    args: Record<string, Json>,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<McpResult> {
    return this.bounded(signal, async (bound) => {
      const { client } = await this.connected();
      return client.callTool(
        { name, arguments: args, _meta: { [IDEMPOTENCY_MEMBER]: idempotencyKey } },
        {
          signal: bound,
          timeout: this.address.timeoutMs,
          toolDefinition: { name, inputSchema: parameters as { type: 'object' } },
        },
      );
    });
  }

  /** Ends the session and closes the connections of pending answers. */
  async close(): Promise<void> {
    const connection = await this.connecting?.catch(() => undefined);
    if (connection?.transport.sessionId !== undefined) await within(connection.transport.terminateSession());
    this.over.abort(new Error('The conversation with the MCP server is over.'));
    await connection?.client.close().catch(() => undefined);
  }

  private connected(): Promise<Connection> {
    this.connecting ??= this.connect().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    return this.connecting;
  }

  private async connect(): Promise<Connection> {
    const sdk = await import('@modelcontextprotocol/client');
    const client = new sdk.Client(
      { name: 'flow-service', version: '1' },
      {
        versionNegotiation: { mode: 'auto' },
        listMaxPages: MOST_PAGES,
        // Results are not validated against the server's own schemas: the model receives them unchanged.
        jsonSchemaValidator: {
          getValidator: () => (data: unknown) => ({
            valid: true as const,
            data: data as never,
            errorMessage: undefined,
          }),
        },
      },
    );
    const transport = new sdk.StreamableHTTPClientTransport(new URL(this.address.url), {
      fetch: mcpFetch(this.http, this.address, (error) => this.broken(error)),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
    // Faults of requests reject the requests themselves.
    client.onerror = () => undefined;
    await client.connect(transport, { timeout: this.address.timeoutMs, signal: this.over.signal });
    return { client, transport };
  }

  private breaks = new Set<(error: unknown) => void>();

  private broken(error: unknown): void {
    for (const fail of this.breaks) fail(error);
  }

  /** Runs a request until the signal, the end of the session, the time limit, or a broken body. */
  private async bounded<Answer>(
    signal: AbortSignal,
    ask: (bound: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const broke = new AbortController();
    const limit = timeLimit(this.address.timeoutMs);
    const bound = AbortSignal.any([signal, this.over.signal, limit, broke.signal]);
    const fail = (error: unknown) => broke.abort(error);
    this.breaks.add(fail);
    let stop: (() => void) | undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(bound.reason as Error);
      bound.addEventListener('abort', stop, { once: true });
      if (bound.aborted) stop();
    });
    try {
      return await Promise.race([ask(bound), stopped]);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new Error('The MCP server did not answer in time.', { cause: error });
      throw broke.signal.aborted ? broke.signal.reason : error;
    } finally {
      this.breaks.delete(fail);
      bound.removeEventListener('abort', stop!);
    }
  }
}

const isObjectSchema = (schema: Json): boolean =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema) && schema['type'] === 'object';

const within = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    work.catch(() => undefined),
    new Promise((resolve) => {
      setTimeout(resolve, GOODBYE_MS).unref();
    }),
  ]);
