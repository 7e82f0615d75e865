import { AutomaticRetry } from './automatic-retry.js';

describe('a call that waits', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is retried after the time that a busy service named, and no earlier', () => {
    const retry = jest.fn();
    new AutomaticRetry(retry).settle({ waits: 'service', afterSeconds: 7 });
    jest.advanceTimersByTime(6_999);
    expect(retry).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it('is left to the person after five refusals in a row, and counted again after an answer', () => {
    const again = new AutomaticRetry(() => undefined);
    const refusals = (count: number) => {
      for (let each = 0; each < count; each++) again.settle({ waits: 'service', afterSeconds: 1 });
    };
    refusals(4);
    expect(again.isPatient).toBe(true);
    refusals(1);
    expect(again.isPatient).toBe(false);
    again.settle();
    expect(again.isPatient).toBe(true);
  });

  it('is not retried once it has another outcome', () => {
    const retry = jest.fn();
    const again = new AutomaticRetry(retry);
    again.settle({ waits: 'network' });
    again.settle();
    jest.advanceTimersByTime(60_000);
    expect(retry).not.toHaveBeenCalled();
  });
});
