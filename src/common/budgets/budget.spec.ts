import { Budget } from './budget.js';

describe('a budget of what is held', () => {
  const limits = { name: 'test bytes', owner: 'caller', share: 60, total: 100 } as const;

  it('refuses an owner beyond its share with 429 and the process beyond its total with 503', () => {
    const budget = new Budget(limits);
    const giveBack = budget.take('one', 60);
    expect(() => budget.take('one', 1)).toThrow(
      expect.objectContaining({ status: 429, code: 'quota_exceeded', headers: { 'Retry-After': '1' } }),
    );
    budget.take('other', 40);
    expect(() => budget.take('third', 1)).toThrow(
      expect.objectContaining({ status: 503, code: 'overloaded' }),
    );
    giveBack();
    giveBack();
    budget.take('third', 60);
    expect(() => budget.take('third', 1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  });
});
