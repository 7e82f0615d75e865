import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import type { Json } from '../engine/json.js';
import { textOf } from '../engine/template.js';
import { fieldsOf } from '../http/http-body.js';
import { secretsIn } from '../http/http-secrets.js';
import type { McpAddress } from './mcp-fetch.js';
import type { McpListings } from './mcp-listings.js';
import { McpSession, type McpResult } from './mcp-session.js';
import {
  callOnce,
  failureOf,
  type OfferedTool,
  toolSettings,
  type ToolType,
  type ToolUser,
  ToolFailed,
  type ToolResult,
} from './tool.js';

/** A name as the server lists it, which may have dots. A model gets it without. */
const serverToolName = z.string().min(1).max(200);

export const mcpSettings = z
  .object({
    tool: z.literal('mcp'),
    ...toolSettings,
    name: serverToolName.optional().describe(toolSettings.name.description!),
    url: z.string().min(1).describe('The address of the MCP server (streamable HTTP); a template.'),
    headers: jsonObject.optional().describe('Headers of each request: name → value; templates.'),
    credentialId: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Id of a stored credential, which is sent as Authorization or as the header that it names. Not a template.',
      ),
    allow: z
      .array(serverToolName)
      .max(200)
      .optional()
      .describe('The tools of the server to offer; all of them when absent.'),
    timeoutMs: z
      .int()
      .min(1)
      .max(600_000)
      .optional()
      .describe('The time limit of a call in milliseconds; 60,000 when absent.'),
    retrySafe: z
      .boolean()
      .optional()
      .describe('Calls may be repeated: a call is made again if its answer was lost in a crash.'),
  })
  .describe('The tools of an MCP server.');

export type McpSettings = z.infer<typeof mcpSettings>;

const USUAL_MS = 60_000;

/** `McpTool` as plain JSON for the journal. */
type OfferedByServer = { name: string; description?: string; parameters: Json };

/** Returns the address with its headers, and the secrets of its credential. `ready` throws if that cannot be opened. */
export async function mcpAddress(
  { url, headers, credentialId, timeoutMs = USUAL_MS }: McpSettings,
  credentials: CredentialSource,
): Promise<{ address: McpAddress; secrets: readonly string[]; ready: () => void }> {
  const { headers: own, secrets, ready } = await credentials.prepare(credentialId);
  const named = fieldsOf(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)] as const);
  const sent = { ...Object.fromEntries(named), ...own };
  if (!URL.canParse(url.trim())) throw new Error('The url of the MCP server is not a web address.');
  return { address: { url: url.trim(), headers: sent, timeoutMs }, secrets, ready };
}

/** Returns whether settings offer a tool of their server; `name` selects a single one. */
const isOffered = ({ allow, name }: McpSettings, tool: string): boolean =>
  (allow === undefined || allow.includes(tool)) && (name === undefined || name === tool);

/**
 * Offers the tools of an MCP server, in the current revision of the protocol and the one before. A server that is down and
 * has no cached list fails the node; the model receives the failure of a call.
 */
export const mcpTool = (listings: McpListings, credentials: CredentialSource): ToolType<McpSettings> => ({
  tool: 'mcp',
  settings: mcpSettings,
  secretsIn: (settings) => secretsIn(settings),
  async open(written, user) {
    const { url, headers } = await user.filled({ url: written.url, headers: written.headers });
    user.secret(...secretsIn({ url, headers }, { url: written.url, headers: written.headers }));
    const { address, secrets, ready } = await mcpAddress({ ...written, url, headers }, credentials);
    user.secret(...secrets);
    const stored = !isTemplate(written);
    // Journaled, so that a run which answers from its journal offers the same tools without the server.
    const tools = await user.effects.answered<OfferedByServer[]>(
      `mcp tools ${addressName(address.url)}`,
      async () => {
        ready();
        const { tools: all } = await listed(listings, address, user, { stored });
        return all.filter(({ name }) => isOffered(written, name)).map((tool) => ({ ...tool }));
      },
    );
    const session = new McpSession(listings.http, address);
    const { description: fallback, retrySafe = false } = written;
    const offered = tools.map((tool): OfferedTool => {
      const { name, parameters, description = fallback } = tool;
      return {
        name,
        parameters,
        ...(description === undefined ? {} : { description }),
        call: (args, place) =>
          callOnce('mcp', place, retrySafe, async (key) => {
            ready();
            return readMcpResult(await session.call(tool, args, key, user.signal));
          }),
      };
    });
    return { tools: offered, close: () => session.close() };
  },
});

/** Returns a name for an address, which may hold secrets. */
const addressName = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** Returns whether the address is filled when the flow runs, perhaps with a caller's text. */
export const isTemplate = ({ url, headers = {} }: Pick<McpSettings, 'url' | 'headers'>): boolean =>
  JSON.stringify([url, headers]).includes('{{');

async function listed(listings: McpListings, address: McpAddress, user: ToolUser, how: { stored: boolean }) {
  try {
    return await listings.list(address, user.signal, how);
  } catch (error) {
    const { message } = failureOf(error, user);
    throw new Error(`The MCP server ${hostOf(address.url)} did not list its tools: ${message}`, {
      cause: error,
    });
  }
}

/** Returns the host of an address, whose parameters may be secrets. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'without address');

/** Returns a result for the model and the trace. Throws `ToolFailed` for a failed call or an unreadable result. */
function readMcpResult({ content, structuredContent, isError }: McpResult): ToolResult {
  const items = Array.isArray(content) ? (content as unknown[]) : [];
  const texts = items.map(textOfItem).filter((text) => text !== '');
  const structured = structuredContent === undefined ? undefined : (structuredContent as Json);
  const text = texts.join('\n') || (structured === undefined ? '' : JSON.stringify(structured));
  if (isError === true) throw new ToolFailed(text.slice(0, 10_000) || 'The tool failed without a message.');
  if (!Array.isArray(content) && structured === undefined)
    throw new ToolFailed('The MCP server answered with no result.');
  return { text, output: structured ?? text };
}

/** Returns the text of an item; pictures, recordings and files are only named. */
function textOfItem(item: unknown): string {
  const { type, text, mimeType, uri, resource } = (item ?? {}) as Record<string, unknown>;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'resource_link') return `[${worded(uri, 'a resource')}]`;
  if (type === 'resource') {
    const { text: inner, uri: at } = (resource ?? {}) as Record<string, unknown>;
    return typeof inner === 'string' ? inner : `[${worded(at, 'a resource')}]`;
  }
  return `[${worded(type, 'something')} ${worded(mimeType, '')}]`.replace(' ]', ']');
}

const worded = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value.slice(0, 1_000) : otherwise;
