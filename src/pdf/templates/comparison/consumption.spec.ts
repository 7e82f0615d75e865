import { consumption } from './consumption.js';

const between = (before: readonly [string | number, string?], after: readonly [string | number, string?]) => {
  const words = ([value, unit]: readonly [string | number, string?]) => ({
    value,
    ...(unit === undefined ? {} : { unit }),
  });
  return consumption({ before: words(before), after: words(after) });
};

describe('the consumption between two readings', () => {
  it('is the exact difference, in the unit of both', () => {
    expect(between(['04731', 'kWh'], ['04945', 'kWh'])).toBe('used 214 kWh');
    expect(between(['2846.3', 'm³'], ['2850.05', 'm3'])).toBe('used 3.75 m³');
    expect(between(['0.1', 'm³'], ['0.3', 'm³'])).toBe('used 0.2 m³');
    expect(between(['9,998.50', 'KWH'], ['12,000.5', 'kWh'])).toBe('used 2,002 kWh');
    expect(between([4021, 'kWh'], [1_234_567, 'kWh'])).toBe('used 1,230,546 kWh');
    expect(between(['99999999999999.9', 'l'], ['100000000000000', 'l'])).toBe('used 0.1 l');
  });

  it('is not stated where a later reading is lower or has another unit', () => {
    expect(between(['99998', 'kWh'], ['12', 'kWh'])).toBe('later reading is lower, no consumption stated');
    expect(between(['10', 'ft³'], ['12', 'm³'])).toBe('units differ (ft³, m³), no consumption stated');
  });

  it('is not guessed from texts, or without a unit', () => {
    for (const value of ['4021,5', '12..5', '1,23', '~4021', '4021 approx.', '-3', '١٢', ''])
      expect(between([value, 'kWh'], ['5000', 'kWh'])).toBe('');
    expect(between(['1'], ['2', 'kWh'])).toBe('');
    expect(between(['1', 'kWh'], ['2', ' '])).toBe('');
  });
});
