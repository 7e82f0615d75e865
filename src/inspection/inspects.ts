import type { FlowDefinition } from '../flows/definition/flow-definition.js';

/** Node kinds and tool types that record in the chat's inspection. */
const RECORDING: ReadonlySet<unknown> = new Set(['capture', 'correct', 'set-details']);

/** Returns true if nodes of a flow, or tools of its agents, record an inspection. */
export const inspects = ({ nodes }: Pick<FlowDefinition, 'nodes'>): boolean =>
  nodes.some(({ kind, config }) => {
    const { tool, tools } = (config ?? {}) as { tool?: unknown; tools?: unknown };
    const named = Array.isArray(tools) ? tools.map((each: { tool?: unknown } | null) => each?.tool) : [];
    return [kind, tool, ...named].some((name) => RECORDING.has(name));
  });
