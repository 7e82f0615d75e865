import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { type McpAddress, MOST_LISTING_BYTES } from './mcp-fetch.js';
import { McpSession, type McpTool } from './mcp-session.js';

/** The tools of a server; `unreadable` further ones have an unsupported description. */
export interface McpListing {
  tools: readonly McpTool[];
  unreadable: number;
  /** Characters of the tools as JSON. */
  size: number;
  /** Epoch milliseconds. */
  at: number;
}

const FRESH_MS = 5 * 60_000;
const MOST_STORED = 200;

const listingBytes = declareBudget({
  name: 'listings of MCP servers in memory',
  unit: 'bytes',
  owner: 'target',
  share: MOST_LISTING_BYTES,
  total: 16 * 1024 * 1024,
  beyond:
    'a larger listing fails the node; of the others the oldest is dropped and fetched again when needed',
  reason: 'a server of 200 tools lists some 200 kB; a model takes no megabyte of tools',
});

/** Tools of one server. */
const MOST_TOOLS = 2_000;

/** Caches the tools of MCP servers in the process for five minutes; a save of a flow fills the cache. */
@Injectable()
export class McpListings {
  private readonly stored = new Map<string, McpListing>();
  private size = 0;

  constructor(
    readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {}

  /**
   * Lists the tools of a server. With `stored` uses a list of the last five minutes, and an older one while the server
   * cannot be reached; only for an address from the flow's author, because callers could fill the cache otherwise. Rejects
   * when there is no list.
   */
  async list(
    address: McpAddress,
    signal: AbortSignal,
    { stored: isStored }: { stored: boolean },
  ): Promise<McpListing> {
    if (!isStored) return this.ask(address, signal);
    const key = createHash('sha256')
      .update(JSON.stringify([address.url, address.headers]))
      .digest('base64');
    const stored = this.stored.get(key);
    if (stored && this.clock.now() - stored.at < FRESH_MS) return stored;
    try {
      return this.store(key, await this.ask(address, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (stored) return stored;
      throw error;
    }
  }

  private store(key: string, listing: McpListing): McpListing {
    this.drop(key);
    this.stored.set(key, listing);
    this.size += listing.size;
    for (const oldest of this.stored.keys()) {
      if (this.stored.size <= MOST_STORED && this.size <= listingBytes.total) break;
      this.drop(oldest);
    }
    return listing;
  }

  private drop(key: string): void {
    this.size -= this.stored.get(key)?.size ?? 0;
    this.stored.delete(key);
  }

  private async ask(address: McpAddress, signal: AbortSignal): Promise<McpListing> {
    const session = new McpSession(this.http, address);
    try {
      const listed = await session.tools(signal);
      if (listed.length > MOST_TOOLS)
        throw new Error(`The MCP server lists ${listed.length} tools; more than ${MOST_TOOLS} are not read.`);
      const tools = listed.flatMap((tool) => tool ?? []);
      const size = JSON.stringify(tools).length;
      if (size > listingBytes.share)
        throw new Error(
          `The MCP server lists ${size} characters of tools; more than ${listingBytes.share} are not read. Let it list fewer.`,
        );
      return { tools, unreadable: listed.length - tools.length, size, at: this.clock.now() };
    } finally {
      void session.close();
    }
  }
}
