import { z } from 'zod';
import type { NodeContext, NodeKind } from '../engine/node-kind.js';
import { matchPattern } from './pattern.js';

const operations = {
  string: [
    ...(['contains', 'notContains', 'equal', 'notEqual', 'startsWith', 'endsWith', 'regex'] as const),
    ...(['isEmpty', 'notEmpty'] as const),
  ],
  number: [
    ...(['smaller', 'smallerEqual', 'equal', 'notEqual', 'larger', 'largerEqual'] as const),
    ...(['isEmpty', 'notEmpty'] as const),
  ],
  boolean: ['equal', 'notEqual', 'isEmpty', 'notEmpty'] as const,
};

const operand = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .optional()
  .describe('An operand: a template such as "{{question}}", or a value.');

const condition = z
  .object({
    type: z.enum(['string', 'number', 'boolean']).default('string').describe('The type of the comparison.'),
    value1: operand,
    operation: z
      .enum([...new Set([...operations.string, ...operations.number])])
      .describe('The comparison of value1 with value2.'),
    value2: operand,
  })
  .superRefine(({ type, operation }, context) => {
    const known: readonly string[] = operations[type];
    if (known.includes(operation)) return;
    const message = `is not an operation of the type ${type}: use ${known.join(', ')}`;
    context.addIssue({ code: 'custom', path: ['operation'], message });
  });

const config = z
  .object({
    conditions: z
      .array(condition)
      .min(1)
      .max(100)
      .describe('Checked in order: branch "0" is for the first, "1" for the second …, "else" for none.'),
  })
  .describe('Takes the branch of the first condition that holds.');

type Condition = z.infer<typeof condition>;

/**
 * Takes the branch of the first condition that holds: `"0"`, `"1"` …, or `"else"`. For a `regex` the output has `match`, so
 * that `{{<nodeId>.output.match.1}}` reads its first group.
 */
export const conditionNode: NodeKind<z.infer<typeof config>> = {
  kind: 'condition',
  label: 'Condition',
  icon: 'branches',
  config,
  streams: false,
  branches: ({ conditions }) => [...conditions.map((_, index) => String(index)), 'else'],
  rawTexts: ['conditions'],
  filledLater: ['conditions'],
  leafText: 'previous',
  outputMembers: () => ['branch', 'match'],
  persists: () => ({ state: false }),
  async run(context) {
    const evaluated: [string, string, string][] = [];
    let branch = 'else';
    let match: string[] | undefined;
    for (const [index, { type, value1, operation, value2 }] of context.config.conditions.entries()) {
      const [left, right] = [await operandText(context, value1), await operandText(context, value2)];
      evaluated.push([left, operation, right]);
      if (operation === 'regex') match = await matchPattern(right, left, context.run.flowId);
      if (match ?? holds(type, operation, left, right)) {
        branch = String(index);
        break;
      }
    }
    const conditions = evaluated.map(([left, operation, right]) => ({
      value1: left,
      operation,
      value2: right,
    }));
    return { output: { branch, ...(match && { match }) }, branches: [branch], traceInput: { conditions } };
  },
};

/** Returns an operand as text. A single reference without a value is empty, for `isEmpty`. */
async function operandText({ fill }: NodeContext<unknown>, value: Condition['value1']): Promise<string> {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value);
  const filled = await fill(value);
  const text = filled.trim();
  const unfilled = filled === value && text.startsWith('{{') && text.indexOf('}}') === text.length - 2;
  return unfilled ? '' : filled;
}

/** Returns whether a condition holds, except a `regex`. */
function holds(
  type: Condition['type'],
  operation: Condition['operation'],
  left: string,
  right: string,
): boolean {
  if (operation === 'isEmpty') return left.trim() === '';
  if (operation === 'notEmpty') return left.trim() !== '';
  if (operation === 'regex') return false;
  if (type === 'number') return compareNumbers(operation, numberOf(left), numberOf(right));
  if (type === 'boolean') return (isTrue(left) === isTrue(right)) === (operation === 'equal');
  return compareTexts(operation, left, right);
}

function compareTexts(operation: Condition['operation'], left: string, right: string): boolean {
  switch (operation) {
    case 'contains':
      return left.includes(right);
    case 'notContains':
      return !left.includes(right);
    case 'startsWith':
      return left.startsWith(right);
    case 'endsWith':
      return left.endsWith(right);
    case 'notEqual':
      return left !== right;
    default:
      return left === right;
  }
}

/** Compares numbers; no comparison but `notEqual` holds for a value that is not a number. */
function compareNumbers(operation: Condition['operation'], left: number, right: number): boolean {
  switch (operation) {
    case 'smaller':
      return left < right;
    case 'smallerEqual':
      return left <= right;
    case 'larger':
      return left > right;
    case 'largerEqual':
      return left >= right;
    case 'notEqual':
      return left !== right;
    default:
      return left === right;
  }
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const isTrue = (text: string): boolean => ['true', '1', 'yes', 'on'].includes(text.trim().toLowerCase());
