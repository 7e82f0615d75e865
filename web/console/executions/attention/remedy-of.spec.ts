import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { domainOf, remedyOf } from './remedy-of.js';

const refused = (code: string, more: Partial<ExecutionRecord> = {}) =>
  remedyOf({ status: 'rejected', code, flowId: 'f', ...more } as ExecutionRecord);

describe('the domain of a calling page', () => {
  it.each([
    ['https://shop.example:8443', 'shop.example'],
    ['http://localhost', 'localhost'],
    ['null', undefined],
    ['file://', undefined],
    [undefined, undefined],
  ])('of %j is %j', (origin, domain) => expect(domainOf(origin)).toBe(domain));
});

describe('the remedy of a call', () => {
  it('is what an admin can change', () => {
    expect(refused('insufficient_credit')).toBe('top-up');
    expect(refused('address_blocked', { flowId: null })).toBe('lift');
    expect(refused('rate_limited')).toBe('limit');
    expect(refused('invalid_api_key')).toBe('key');
    expect(refused('domain_not_allowed')).toBe('domains');
    const failedNode = { id: 'llm', label: 'Think' };
    expect(
      remedyOf({ status: 'failed', code: 'flow_failed', flowId: 'f', failedNode } as ExecutionRecord),
    ).toBe('node');
  });

  it('is undefined when nothing is wrong or only the caller can fix it', () => {
    expect(refused('invalid_request')).toBeUndefined();
    expect(refused('constructor')).toBeUndefined();
    expect(refused('rate_limited', { flowId: null })).toBeUndefined();
    expect(remedyOf({ status: 'succeeded', flowId: 'f' } as ExecutionRecord)).toBeUndefined();
  });
});
