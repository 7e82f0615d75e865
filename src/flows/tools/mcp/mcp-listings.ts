import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Clock } from '../../../common/clock.js';
import { OutboundHttp } from '../../../common/outbound/outbound-http.js';
import type { McpAddress } from './mcp-fetch.js';
import { McpSession, type McpTool } from './mcp-session.js';

/** Tools of a server; `unreadable` of them no model can be told. */
export interface McpListing {
  tools: readonly McpTool[];
  unreadable: number;
  /** Epoch milliseconds. */
  at: number;
}

const FRESH_MS = 5 * 60_000;
const MOST_KEPT = 200;
/** Larger descriptions of one server are none that a model could be given. */
const MOST_TOOLS = 2_000;

/** The lists of tools of MCP servers, kept in the process: asked for when a flow is saved, and again when five minutes old. */
@Injectable()
export class McpListings {
  private readonly kept = new Map<string, McpListing>();

  constructor(
    readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {}

  /** The last list is good for as long as the server cannot be reached. Rejects where there is none. */
  async of(address: McpAddress, signal: AbortSignal): Promise<McpListing> {
    const key = createHash('sha256')
      .update(JSON.stringify([address.url, address.headers]))
      .digest('base64');
    const kept = this.kept.get(key);
    if (kept && this.clock.now() - kept.at < FRESH_MS) return kept;
    try {
      return this.keep(key, await this.ask(address, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (kept) return kept;
      throw error;
    }
  }

  private keep(key: string, listing: McpListing): McpListing {
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(key, listing);
    return listing;
  }

  private async ask(address: McpAddress, signal: AbortSignal): Promise<McpListing> {
    const session = new McpSession(this.http, address);
    try {
      const listed = await session.tools(signal);
      if (listed.length > MOST_TOOLS)
        throw new Error(`The MCP server lists ${listed.length} tools; more than ${MOST_TOOLS} are not read.`);
      const tools = listed.flatMap((tool) => tool ?? []);
      return { tools, unreadable: listed.length - tools.length, at: this.clock.now() };
    } finally {
      void session.close();
    }
  }
}
