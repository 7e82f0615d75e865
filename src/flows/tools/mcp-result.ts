import type { Json } from '../engine/json.js';
import type { McpResult } from './mcp-session.js';
import { ToolFailed, type ToolResult } from './tool.js';

/** A result for model and trace. Throws `ToolFailed` where the server says that the call failed, or says nothing that could be read. */
export function readMcpResult({ content, structuredContent, isError }: McpResult): ToolResult {
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
