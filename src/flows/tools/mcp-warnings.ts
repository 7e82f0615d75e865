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

/** The time that a save waits for all servers of a flow. */
const PATIENCE_MS = 5_000;
/** Servers of a flow that are requested. */
const MOST_SERVERS = 20;

/**
 * Requests the tools of a flow's MCP servers when it is saved, so that a run finds them cached. Warns of a server that is
 * down and of unknown names in `allow`, since both may change (contract section 12).
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
  // The address is filled when the flow runs.
  if (isTemplate(settings)) return [];
  try {
    const { address, ready } = await mcpAddress(settings, credentials);
    ready();
    const patient = { ...address, timeoutMs: Math.min(address.timeoutMs, PATIENCE_MS) };
    return doubtsOf(await listings.list(patient, signal, { stored: true }), settings, path);
  } catch (error) {
    const reason = signal.aborted ? 'It did not answer in time.' : messageOf(error);
    const message = `The MCP server ${hostOf(settings.url)} did not list its tools: ${reason}`;
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
  const message = `${unreadable} tools of the MCP server ${hostOf(url)} have descriptions that models do not support. They are not offered.`;
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
