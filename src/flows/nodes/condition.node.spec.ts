import { endedRuns } from '../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../test/fixtures/flows/run-nodes.js';
import { computedMs } from '../../../test/support/computed.js';
import type { Json } from '../engine/json.js';
import type { FlowInput } from '../engine/run-options.js';
import { conditionNode } from './condition.node.js';

const branchOf = async (condition: Json, input: Partial<FlowInput> = {}) => {
  const events = await runNodes([{ kind: 'condition', config: { conditions: [condition] } }], input);
  return endedRuns(events, 'n0')[0]!.output;
};

describe('condition', () => {
  const string = (value1: string, operation: string, value2 = '') => ({
    type: 'string',
    value1,
    operation,
    value2,
  });
  const number = (value1: Json, operation: string, value2: Json = 0) => ({
    type: 'number',
    value1,
    operation,
    value2,
  });

  it.each<[Json, boolean]>([
    [string('abc', 'contains', 'b'), true],
    [string('abc', 'notContains', 'b'), false],
    [string('abc', 'startsWith', 'ab'), true],
    [string('abc', 'endsWith', 'bc'), true],
    [string('abc', 'equal', 'ABC'), false],
    [string('abc', 'notEqual', 'x'), true],
    [string('room 12', 'regex', '^room \\d+$'), true],
    [string('room', 'regex', '('), false],
    [string('  ', 'isEmpty'), true],
    [string('{{$flow.state.nothing}}', 'isEmpty'), true],
    [string('{{$flow.state.nothing}}', 'notEmpty'), false],
    [string('{{question}}', 'notEmpty'), true],
    [number('11', 'larger', 2), true],
    [number('1e1', 'equal', 10), true],
    [number('3', 'smaller', '3'), false],
    [number('3', 'smallerEqual', '3'), true],
    [number('3', 'largerEqual', '4'), false],
    [number('x', 'smaller', '4'), false],
    [number('x', 'notEqual', '4'), true],
    [number('', 'isEmpty'), true],
    [{ type: 'boolean', value1: 'TRUE', operation: 'equal', value2: true }, true],
    [{ type: 'boolean', value1: '', operation: 'notEqual', value2: true }, true],
  ])('%j is %s', async (condition, expected) => {
    expect(await branchOf(condition)).toMatchObject({ branch: expected ? '0' : 'else' });
  });

  it('names the operations of its type when another is sent', () => {
    const parsed = conditionNode.config.safeParse({ conditions: [number('1', 'contains')] });
    expect(parsed.error?.issues).toMatchObject([
      {
        path: ['conditions', 0, 'operation'],
        message: expect.stringMatching(/not an operation of the type number: use smaller, .*notEmpty$/),
      },
    ]);
  });

  it('reads a hostile pattern in linear time', async () => {
    const pattern = string('{{question}}', 'regex', '^(a+)+$');
    const input = { question: `${'a'.repeat(50_000)}!` };
    expect(await computedMs(() => branchOf(pattern, input), 3_000)).toBeLessThan(3_000);
  });
});
