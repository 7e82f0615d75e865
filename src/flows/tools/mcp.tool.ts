import { z } from 'zod';
import type { CredentialSource } from '../credentials/credential-source.js';
import { jsonObject } from '../definition/flow-definition.js';
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

export const mcpSettings = z
  .object({
    tool: z.literal('mcp'),
    ...toolSettings,
    url: z.string().min(1).describe('Where the MCP server is (streamable HTTP); a template.'),
    headers: jsonObject.optional().describe('Sent along: name → value; templates.'),
    credentialId: z
      .string()
      .min(1)
      .optional()
      .describe('Id of a kept credential: sent as Authorization or the header that it names. No template.'),
    allow: z
      .array(z.string().min(1).max(200))
      .max(200)
      .optional()
      .describe('The tools of the server that are offered; all of them when absent.'),
    timeoutMs: z
      .int()
      .min(1)
      .max(600_000)
      .optional()
      .describe('How long a call may take; 60,000 when absent.'),
    retrySafe: z
      .boolean()
      .optional()
      .describe('Its tools may be called twice: again, when the answer was lost in a crash.'),
  })
  .describe('The tools of an MCP server.');

export type McpSettings = z.infer<typeof mcpSettings>;

const USUAL_MS = 60_000;

/** The address as it is asked, and the secrets that stand in it. */
export async function mcpAddress(
  { url, headers, credentialId, timeoutMs = USUAL_MS }: McpSettings,
  credentials: CredentialSource,
): Promise<{ address: McpAddress; secrets: readonly string[] }> {
  const credential = credentialId === undefined ? undefined : await credentials.headers(credentialId);
  const named = fieldsOf(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)] as const);
  const sent = { ...Object.fromEntries(named), ...credential?.headers };
  if (!URL.canParse(url.trim())) throw new Error('The url of the MCP server is no web address.');
  return { address: { url: url.trim(), headers: sent, timeoutMs }, secrets: credential?.secrets ?? [] };
}

/** Whether settings offer a tool of their server; `name` names one of them. */
export const isOffered = ({ allow, name }: McpSettings, tool: string): boolean =>
  (allow === undefined || allow.includes(tool)) && (name === undefined || name === tool);

/**
 * The tools of an MCP server, as it lists them, in the current revision of the protocol and the one before. A server that is
 * down and has never been listed fails the node; one that fails in a call is told to the model.
 */
export const mcpTool = (listings: McpListings, credentials: CredentialSource): ToolType<McpSettings> => ({
  tool: 'mcp',
  settings: mcpSettings,
  secretsIn: (settings) => secretsIn(settings),
  async open(written, user) {
    const { url, headers } = await user.filled({ url: written.url, headers: written.headers });
    user.secret(...secretsIn({ url, headers }, { url: written.url, headers: written.headers }));
    const { address, secrets } = await mcpAddress({ ...written, url, headers }, credentials);
    user.secret(...secrets);
    const stored = !isTemplate(written);
    const { tools } = await listed(listings, address, user, { stored });
    const session = new McpSession(listings.http, address);
    const { description: fallback, retrySafe = false } = written;
    const offered = tools
      .filter(({ name }) => isOffered(written, name))
      .map((tool): OfferedTool => {
        const { name, parameters, description = fallback } = tool;
        return {
          name,
          parameters,
          ...(description === undefined ? {} : { description }),
          call: (args, place) =>
            callOnce('mcp', place, retrySafe, async (key) =>
              readMcpResult(await session.call(tool, args, key, user.signal)),
            ),
        };
      });
    return { tools: offered, close: () => session.close() };
  },
});

/** Whether the address is filled when the flow runs, perhaps with what a caller sent. */
export const isTemplate = ({ url, headers = {} }: Pick<McpSettings, 'url' | 'headers'>): boolean =>
  JSON.stringify([url, headers]).includes('{{');

async function listed(listings: McpListings, address: McpAddress, user: ToolUser, how: { stored: boolean }) {
  try {
    return await listings.list(address, user.signal, how);
  } catch (error) {
    const { message } = failureOf(error, user);
    throw new Error(`The MCP server ${hostOf(address.url)} could not be asked for its tools: ${message}`, {
      cause: error,
    });
  }
}

/** An address without its parameters, which may be secrets. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'without address');

/** A result for model and trace. Throws `ToolFailed` where the server says that the call failed, or says nothing that could be read. */
function readMcpResult({ content, structuredContent, isError }: McpResult): ToolResult {
  const items = Array.isArray(content) ? (content as unknown[]) : [];
  const texts = items.map(textOfItem).filter((text) => text !== '');
  const structured = structuredContent === undefined ? undefined : (structuredContent as Json);
  const text = texts.join('\n') || (structured === undefined ? '' : JSON.stringify(structured));
  if (isError === true) throw new ToolFailed(text.slice(0, 10_000) || 'The tool failed and says no more.');
  if (!Array.isArray(content) && structured === undefined)
    throw new ToolFailed('The MCP server answered with no result.');
  return { text, output: structured ?? text };
}

/** Pictures, recordings and files are named and not shown. */
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
