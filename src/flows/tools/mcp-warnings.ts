import { suggested } from '../../common/texts/nearest-name.js';
import { timeLimit } from '../../common/time-limit.js';
import type { Warning } from '../../common/warnings.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import type { Json } from '../engine/json.js';
import type { DefinitionDoubt } from '../store/definition-checks.js';
import type { McpListing, McpListings } from './mcp-listings.js';
import { hostOf, isTemplate, mcpAddress, type McpSettings, mcpSettings } from './mcp.tool.js';

interface Place {
  path: string;
  settings: McpSettings;
}

/** So long a save waits for all servers of a flow. */
const PATIENCE_MS = 5_000;
/** More servers of one flow are not asked. */
const MOST_SERVERS = 20;

/**
 * Asks the MCP servers of a flow for their tools when it is saved, so that a run finds them listed. A server that is down,
 * and names in `allow` that it does not have, are warnings: both may change (contract section 12).
 */
export const mcpWarnings =
  (listings: McpListings, credentials: CredentialSource): DefinitionDoubt =>
  async (definition) => {
    const signal = timeLimit(PATIENCE_MS);
    const warnings = placesIn(definition)
      .slice(0, MOST_SERVERS)
      .map((place) => serverWarnings(place, listings, credentials, signal));
    return (await Promise.all(warnings)).flat();
  };

async function serverWarnings(
  { path, settings }: Place,
  listings: McpListings,
  credentials: CredentialSource,
  signal: AbortSignal,
): Promise<Warning[]> {
  // Filled when the flow runs: nobody knows yet with what.
  if (isTemplate(settings)) return [];
  try {
    const { address } = await mcpAddress(settings, credentials);
    const patient = { ...address, timeoutMs: Math.min(address.timeoutMs, PATIENCE_MS) };
    return doubtsOf(await listings.list(patient, signal, { stored: true }), settings, path);
  } catch (error) {
    const reason = signal.aborted ? 'It did not answer in time.' : messageOf(error);
    const message = `The MCP server ${hostOf(settings.url)} could not be asked for its tools: ${reason}`;
    return [{ code: 'mcp_unreachable', message, path: `${path}.url` }];
  }
}

function doubtsOf({ tools, unreadable }: McpListing, { allow, url }: McpSettings, path: string): Warning[] {
  const names = tools.map(({ name }) => name);
  const unknown = (allow ?? []).flatMap((name, index) =>
    names.includes(name)
      ? []
      : [
          {
            code: 'mcp_tool_unknown',
            message: `The MCP server ${hostOf(url)} has no tool "${name}".`,
            path: `${path}.allow[${index}]`,
            ...suggested(name, names),
          },
        ],
  );
  if (unreadable === 0) return unknown;
  const message = `${unreadable} tools of the MCP server ${hostOf(url)} are described in ways that no model can be told; they are not offered.`;
  return [...unknown, { code: 'mcp_tools_unreadable', message, path: `${path}.url` }];
}

function placesIn({ nodes }: FlowDefinition): Place[] {
  return nodes.flatMap(({ kind, config = {} }, index) => {
    const at = `nodes[${index}].config`;
    if (kind === 'tool') return placeOf(config, at);
    const { tools } = config;
    if (kind !== 'agent' || !Array.isArray(tools)) return [];
    return tools.flatMap((tool, place) => placeOf(tool, `${at}.tools[${place}]`));
  });
}

function placeOf(value: Json, path: string): Place[] {
  const { data: settings } = mcpSettings.safeParse(value);
  return settings ? [{ path, settings }] : [];
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500);
