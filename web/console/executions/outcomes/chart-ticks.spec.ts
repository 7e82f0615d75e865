import { ticksOf } from './chart-ticks.js';

const every = (minutes: number, count: number, from = new Date(2026, 10, 18, 9, 58)) =>
  Array.from({ length: count }, (_, index) =>
    new Date(from.getTime() + index * minutes * 60_000).toISOString(),
  );
const clock = (at: string) => new Date(at).toTimeString().slice(0, 5);

describe('the labels of a chart', () => {
  it('are at round times, four at most', () => {
    expect(ticksOf(every(1, 64), 'minute').map(clock)).toEqual(['10:00', '11:00']);
    expect(ticksOf(every(1, 24), 'minute').map(clock)).toEqual(['10:00', '10:15']);
    expect(ticksOf(every(1, 200), 'minute').map(clock)).toEqual(['10:00', '11:00', '12:00', '13:00']);
    const hours = every(60, 24, new Date(2026, 10, 18, 2));
    expect(ticksOf(hours, 'hour').map(clock)).toEqual(['06:00', '12:00', '18:00', '00:00']);
    const week = ticksOf(every(60, 7 * 24, new Date(2026, 10, 18, 2)), 'hour');
    expect(week.map(clock)).toEqual(['00:00', '00:00', '00:00', '00:00']);
    expect(ticksOf(every(1440, 30), 'day')).toHaveLength(4);
    expect(ticksOf([], 'day')).toEqual([]);
  });
});
