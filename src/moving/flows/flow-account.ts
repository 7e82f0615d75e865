import { isMembers } from '../../flows/import/rows/members.js';
import type { Move } from '../move.js';
import type { MovedFlow } from './moved-flow.js';

/** Changes that lose nothing that could be set again by name; the rest of an import's warnings are losses. */
const CHANGES = new Set(['state_kept', 'body_as_text', 'input_type_changed', 'code_of_elsewhere']);
const PLACEHOLDERS = new Set(['node_missing', 'tool_missing']);
/** Said otherwise here, where variables and credentials come along. */
const OTHERWISE = new Set(['variables_missing', 'credentials_missing']);

/** Tells what became of the nodes of a flow that came. */
export function tellNodes({ report }: Move, { definition, warnings }: MovedFlow): void {
  const { name } = definition;
  let placeholders = 0;
  for (const { code, message, count = 1 } of warnings) {
    const why = message.replace(/\.$/, '');
    if (PLACEHOLDERS.has(code)) {
      placeholders += count;
      report.placeholder('node', why, name, count);
    } else if (CHANGES.has(code)) report.note(message, name);
    else if (!OTHERWISE.has(code)) report.left('setting', why, name, count);
  }
  report.came('node', Math.max(0, definition.nodes.length - placeholders));
  const without = definition.nodes.flatMap(({ id, config }) =>
    isMembers(config) && isMembers(config['model']) && config['model']['credentialId'] === undefined
      ? [id]
      : [],
  );
  if (without.length > 0)
    report.note(
      `its models are asked without a credential of their own (model.credentialId): ${without.slice(0, 20).join(', ')}.`,
      name,
    );
}

/** Tells of a flow that was here before whether it is what the other side has. */
export function tellHere(
  { report }: Move,
  changedAt: number,
  there: { name: string; updatedAt: number | undefined },
): void {
  const same = there.updatedAt === undefined || there.updatedAt === changedAt;
  if (same) report.here('flow');
  else report.here('flow', 'it was changed since, here or there, and stays as it is here', there.name);
}
