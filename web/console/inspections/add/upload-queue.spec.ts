import { type Outcome, type Upload, UploadQueue } from './upload-queue.js';

const recorded: Outcome = { at: 'recorded', area: 'Hall', notes: [] };
const refused: Outcome = { at: 'failed', sentence: 'No.', again: true, asksKey: false };
const picture = (name: string) => new File(['x'], name);
const at = () => '2026-11-21T10:00:00.000Z';
/** Waits for enough rounds of the event loop that all queued work has run, however slow the machine is. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
};
const journeys = (queue: UploadQueue) => queue.snapshot().map(({ name, journey }) => [name, journey.at]);

describe('uploads', () => {
  it('run two at a time, in order, and report progress', async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const queue = new UploadQueue(({ name }, _signal, progress) => {
      started.push(name);
      progress(0.5);
      return new Promise((resolve) => ends.push(() => resolve(recorded)));
    });
    queue.add(['a', 'b', 'c'].map(picture), 'Hall', at);
    expect(started).toEqual(['a', 'b']);
    expect(queue.snapshot().map(({ journey }) => journey)).toEqual([
      { at: 'sending', share: 0.5 },
      { at: 'sending', share: 0.5 },
      { at: 'waiting' },
    ]);
    ends[0]!();
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    ends[1]!();
    ends[2]!();
    await settled();
    expect(queue.isBusy).toBe(false);
    queue.tidy();
    expect(queue.snapshot()).toEqual([]);
  });

  it('are retried under the same id when the connection breaks, then wait for the person', async () => {
    const tries: string[] = [];
    let down = true;
    const queue = new UploadQueue(
      ({ id }: Upload) => (tries.push(id), Promise.resolve(down ? undefined : recorded)),
      [0, 0],
    );
    queue.add([picture('a')], 'Hall', at);
    await settled();
    expect(journeys(queue)).toEqual([['a', 'failed']]);
    expect(new Set(tries).size).toBe(1);
    expect(tries).toHaveLength(3);
    down = false;
    queue.retryAll();
    await settled();
    expect(journeys(queue)).toEqual([['a', 'recorded']]);
    expect(new Set(tries).size).toBe(1);
  });

  it('stay failed when the browser reports progress late', async () => {
    let tell = (_share: number) => undefined as void;
    const queue = new UploadQueue((_upload, _signal, progress) => {
      tell = progress;
      return Promise.resolve(refused);
    });
    queue.add([picture('a')], 'Hall', at);
    await settled();
    tell(1);
    expect(journeys(queue)).toEqual([['a', 'failed']]);
  });

  it('wait for a rate limit automatically', async () => {
    const answers: Outcome[] = [{ ...refused, waitMs: 1 }, { ...refused, waitMs: 1 }, recorded];
    const queue = new UploadQueue(() => Promise.resolve(answers.shift()), []);
    queue.add([picture('a')], 'Hall', at);
    await settled();
    expect(journeys(queue)).toEqual([['a', 'recorded']]);
  });

  it('fail separately, and are not retried when they cannot succeed', async () => {
    let tries = 0;
    const queue = new UploadQueue(
      ({ name }) => (
        tries++,
        Promise.resolve<Outcome>(name === 'bad' ? { ...refused, again: false } : recorded)
      ),
    );
    queue.add(['bad', 'good'].map(picture), 'Hall', at);
    await settled();
    expect(journeys(queue)).toEqual([
      ['bad', 'failed'],
      ['good', 'recorded'],
    ]);
    queue.retryAll();
    await settled();
    expect(tries).toBe(2);
    queue.remove(queue.snapshot()[0]!.id);
    expect(journeys(queue)).toEqual([['good', 'recorded']]);
  });
});
