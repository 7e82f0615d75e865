import { type PictureCaller, PictureSlots } from './picture-slots.js';

const job = (name: string, who: string, chat = 'one') => ({ name, caller: { who, chat } });

/** Runs all jobs one after another; returns their names in the order of their start. */
function orderOf(jobs: { name: string; caller: PictureCaller }[]): string[] {
  const slots = new PictureSlots();
  const waiting = new Set(jobs);
  const order: string[] = [];
  for (let now = 0; waiting.size > 0; now += 1_000) {
    const next = slots.next(waiting)!;
    waiting.delete(next);
    order.push(next.name);
    slots.begin(next.caller, now);
  }
  return order;
}

const hundred = (chatOf: (index: number) => string) =>
  Array.from({ length: 100 }, (_, index) => job(`bomb-${index}`, 'first', chatOf(index)));

describe('turns between callers', () => {
  it('are taken one by one, however many the first caller sent', () => {
    const order = orderOf([...hundred(() => 'one'), job('only', 'second'), job('another', 'second')]);
    expect(order.slice(0, 5)).toEqual(['bomb-0', 'only', 'bomb-1', 'another', 'bomb-2']);
  });

  it('count the chats of one caller as one', () => {
    expect(orderOf([...hundred((index) => `${index}`), job('only', 'second')]).indexOf('only')).toBe(1);
  });

  it('are taken by the chats of one caller too', () => {
    expect(orderOf([...hundred(() => 'loud'), job('only', 'first', 'quiet')]).indexOf('only')).toBe(1);
  });

  it('keep the order of what one chat sends', () => {
    const names = hundred(() => 'one');
    expect(orderOf(names)).toEqual(names.map(({ name }) => name));
  });

  it('know who asks for more: by what waits and runs, and by what began lately', () => {
    const slots = new PictureSlots();
    const [first, second] = [job('', 'first').caller, job('', 'second').caller];
    const jobs = [...hundred(() => 'one'), job('only', 'second')];
    expect(slots.asksForMore(first, second, jobs, 0)).toBe(true);
    expect(slots.asksForMore(second, first, jobs, 0)).toBe(false);
    const even = [job('a', 'first'), job('b', 'second')];
    expect(slots.asksForMore(first, second, even, 0)).toBe(false);
    for (const now of [1_000, 2_000, 3_000]) slots.begin(first, now);
    expect(slots.asksForMore(first, second, even, 3_000)).toBe(true);
    expect(slots.asksForMore(first, second, even, 60_000)).toBe(false);
  });
});
