import type { LedgerEntryView } from '../../../../src/api/credit.js';
import type { AccessRules, FlowSummary } from '../../../../src/api/flows.js';
import { bodyOf, draftFaults, draftOf } from '../credentials/credential-form.js';
import { balanceHistory, evenTicks, historyInWords } from '../credit/balance-history.js';
import { readAmount } from '../credit/credit-amount.js';
import { creditLevel, runsLeft } from '../credit/runs-left.js';
import { timeLeft } from '../time-left.js';
import {
  type AccessDraft,
  draftOfAccess,
  fieldOfFault,
  mergeAccess,
  readAccess,
  withDomain,
} from './access-edit.js';

describe('a domain that the form proposes', () => {
  const listing = (domains: string) => ({ domains }) as AccessDraft;

  it.each([
    ['a.example', 'b.example', 'a.example\nb.example'],
    ['a.example, b.example', 'b.example', 'a.example, b.example'],
    ['', 'b.example', ''],
    ['a.example', undefined, 'a.example'],
  ])('%j with %j is %j', (domains, domain, all) =>
    expect(withDomain(listing(domains), domain).domains).toBe(all),
  );
});

describe('an amount of credits', () => {
  it.each([
    ['500', 500],
    [' 7 ', 7],
    ['1,000', 1_000],
    ['12 345 678', 12_345_678],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%j is read as %d', (text, amount) => expect(readAmount(text)).toEqual({ amount }));

  it.each([
    '',
    '0',
    '-5',
    '1.5',
    '1.000',
    '1,00',
    '1e3',
    '0x10',
    '９',
    'ten',
    '9007199254740992',
    '9'.repeat(400),
  ])('%j is refused in a sentence', (text) =>
    expect(readAmount(text)).toEqual({ fault: expect.stringMatching(/\.$/) }),
  );

  it('is at most what fits into the account', () => {
    expect(readAmount('11', 10)).toEqual({ fault: 'You can add at most 10 credits.' });
    expect(readAmount('10', 10)).toEqual({ amount: 10 });
  });
});

describe('the runs left', () => {
  const flow = (name: string, price: number, account = 'default') =>
    ({ id: name, name, price, account }) as FlowSummary;
  const left = (balance: number, ...flows: FlowSummary[]) => runsLeft(balance, 'default', flows);

  it("are whole runs of the account's flows, fewest first", () => {
    const runs = left(25, flow('cheap', 1), flow('free', 0), flow('dear', 10), flow('other', 1, 'agency'));
    expect(runs.map((one) => [one.flow.name, one.runs])).toEqual([
      ['dear', 2],
      ['cheap', 25],
      ['free', Infinity],
    ]);
  });

  it('say whether the credit is low', () => {
    expect(creditLevel(left(0, flow('free', 0)))).toBe('good');
    expect(creditLevel(left(0))).toBe('good');
    expect(creditLevel(left(9, flow('dear', 10), flow('cheap', 1)))).toBe('empty');
    expect(creditLevel(left(99, flow('dear', 10)))).toBe('low');
    expect(creditLevel(left(100, flow('dear', 10)))).toBe('good');
  });
});

describe('the history of a balance', () => {
  const entry = (at: string, amount: number, balanceAfter: number) =>
    ({ at: `2026-11-0${at}T10:00:00.000Z`, amount, balanceAfter }) as LedgerEntryView;
  const newestFirst = [entry('3', -5, 35), entry('2', -10, 40), entry('1', 20, 50)];

  it('runs from before the oldest entry until it was read', () => {
    const until = Date.parse('2026-11-05T10:00:00.000Z');
    expect(balanceHistory(newestFirst, until).map(({ balance }) => balance)).toEqual([30, 50, 40, 35, 35]);
    expect(balanceHistory(newestFirst, until).at(-1)!.at).toBe(until);
    expect(balanceHistory([])).toEqual([]);
  });

  it("never goes back in time, whatever the browser's clock says", () => {
    const times = balanceHistory(newestFirst, 0).map(({ at }) => at);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('is described in a sentence', () => {
    expect(historyInWords(newestFirst)).toMatch(/last 3 movements: from 30 \(.+\) to 35, lowest 30\.$/);
    expect(historyInWords([])).toBe('No movements yet.');
  });

  it('has an axis without duplicate ticks', () => {
    expect(
      evenTicks(
        [
          { at: 0, balance: 1 },
          { at: 100, balance: 1 },
        ],
        5,
      ),
    ).toEqual([0, 25, 50, 75, 100]);
    expect(evenTicks([{ at: 7, balance: 1 }], 5)).toEqual([7]);
  });
});

describe('access rules that two people edit', () => {
  const base: AccessRules = {
    apiKeyId: null,
    allowedDomains: [],
    public: false,
    rateLimit: { limit: 5, windowSeconds: 60 },
  };

  it('are mine if I changed them, and theirs otherwise', () => {
    const theirs = { ...base, public: true, apiKeyId: 'k' };
    expect(mergeAccess(base, { ...base, allowedDomains: ['a.b'] }, theirs)).toEqual({
      access: { ...theirs, allowedDomains: ['a.b'] },
      conflicts: [],
    });
  });

  it('name members that both changed differently', () => {
    const mine = { ...base, public: true, rateLimit: null };
    const theirs = { ...base, public: true, rateLimit: { limit: 9, windowSeconds: 60 } };
    expect(mergeAccess(base, mine, theirs).conflicts).toEqual(['rateLimit']);
    const turned = { ...base, rateLimit: { windowSeconds: 60, limit: 5 } };
    expect(mergeAccess(base, mine, turned).conflicts).toEqual([]);
  });
});

describe('the form of access rules', () => {
  const draft = (more: Partial<AccessDraft> = {}): AccessDraft => ({
    ...draftOfAccess({ apiKeyId: null, allowedDomains: [], public: false, rateLimit: null }),
    ...more,
  });

  it('yields the rules that it was filled from', () => {
    const access: AccessRules = {
      apiKeyId: 'k',
      allowedDomains: ['example.com', '*.example.org'],
      public: true,
      rateLimit: { limit: 3, windowSeconds: 9, message: 'Slowly.' },
    };
    expect(readAccess(draftOfAccess(access))).toEqual({ access });
  });

  it('accepts hosts with any separator, and drops an empty message', () => {
    const read = readAccess(draft({ limited: true, message: '  ', domains: ' a.b,c.d\n\n e.f ' }));
    expect(read).toMatchObject({
      access: { allowedDomains: ['a.b', 'c.d', 'e.f'], rateLimit: { limit: 60, windowSeconds: 60 } },
    });
    expect(read).not.toHaveProperty('access.rateLimit.message');
  });

  it('reports the faults of a limit, but not when it is off', () => {
    const wrong = { limit: '0', windowSeconds: '31536001', message: 'x'.repeat(1_001) };
    expect(
      Object.keys((readAccess(draft({ limited: true, ...wrong })) as { faults: object }).faults),
    ).toEqual(['limit', 'windowSeconds', 'message']);
    expect(readAccess(draft(wrong))).toHaveProperty('access.rateLimit', null);
  });

  it("assigns the service's faults to fields", () => {
    expect(fieldOfFault('access.allowedDomains.3')).toBe('domains');
    expect(fieldOfFault('access.rateLimit.limit')).toBe('limit');
    expect(fieldOfFault('nodes.0')).toBeUndefined();
  });
});

describe('a credential', () => {
  it('needs a name and every field of its kind', () => {
    expect(Object.keys(draftFaults(draftOf()))).toEqual(['name', 'data.apiKey']);
    expect(Object.keys(draftFaults(draftOf({ name: 'x', kind: 'webhook' })))).toEqual(['data.secret']);
    const draft = {
      ...draftOf({ name: 'x', kind: 'basic' }),
      values: { username: 'u', apiKey: 'left over' },
    };
    expect(Object.keys(draftFaults(draft))).toEqual(['data.password']);
    const whole = { ...draft, name: ' x ', values: { ...draft.values, password: ' p ' } };
    expect(draftFaults(whole)).toEqual({});
    expect(bodyOf(whole)).toEqual({ name: 'x', kind: 'basic', data: { username: 'u', password: ' p ' } });
  });
});

it.each([
  [-5, '0 s'],
  [1, '1 s'],
  [59_000, '59 s'],
  [59_001, '1 min 0 s'],
  [3_599_000, '59 min 59 s'],
  [3_600_000, '1 h 0 min'],
])('%d ms are %s', (ms, words) => expect(timeLeft(ms)).toBe(words));
