import type { FlowDefinition } from '../flows/definition/flow-definition.js';

/** Kinds of nodes, and types of tools, that record something of the chat's inspection. */
const RECORDING: ReadonlySet<unknown> = new Set(['capture', 'correct', 'set-details']);

/** Whether a flow records an inspection: itself, or by the tools of its agents. */
export const inspects = ({ nodes }: Pick<FlowDefinition, 'nodes'>): boolean =>
  nodes.some(({ kind, config }) => {
    const { tool, tools } = (config ?? {}) as { tool?: unknown; tools?: unknown };
    const named = Array.isArray(tools) ? tools.map((each: { tool?: unknown } | null) => each?.tool) : [];
    return [kind, tool, ...named].some((name) => RECORDING.has(name));
  });
