import { BrowserStorage } from '../../../common/browser-storage.js';
import { rangeOf } from '../outcomes/time-range.js';
import { SavedViews, searchOf, viewOf } from './saved-views.js';

describe('saved views', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  } as Storage;
  const open = () => new SavedViews(new BrowserStorage(() => storage, 'console:'));

  beforeEach(() => stored.clear());

  it('are there at the next visit, and one of the same name is replaced', () => {
    const views = open();
    views.save('Failed', { status: 'failed' });
    views.save('Slow', { minDurationMs: 10_000, sort: 'duration' });
    views.save('Failed', { status: 'failed', kind: 'capture' });
    expect(
      open()
        .all()
        .map(({ name, search }) => [name, search]),
    ).toEqual([
      ['Slow', { minDurationMs: 10_000, sort: 'duration' }],
      ['Failed', { status: 'failed', kind: 'capture' }],
    ]);
    views.remove('Slow');
    expect(open().all()).toHaveLength(1);
  });

  it('count the last hour and today from the time when they are opened', () => {
    const views = open();
    const saved = new Date(2026, 10, 20, 9, 30);
    const opened = new Date(2026, 10, 27, 14);
    views.save('Hour', { status: 'failed', ...rangeOf('hour', saved) }, saved);
    views.save('Day', rangeOf('today', saved), saved);
    expect(views.all().map((view) => searchOf(view, opened))).toEqual([
      { status: 'failed', from: new Date(2026, 10, 27, 13).toISOString() },
      { from: new Date(2026, 10, 27).toISOString() },
    ]);
  });

  it('keep a range of their own', () => {
    const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    const views = open();
    views.save('First of November', { kind: 'render', ...range });
    expect(searchOf(open().all()[0]!)).toEqual({ kind: 'render', ...range });
  });

  it('are recognised in any order of their filters, the last hour too', () => {
    const views = open();
    views.save('Poor', { code: 'insufficient_credit', status: 'rejected' });
    views.save('Hour', { status: 'failed', ...rangeOf('hour') });
    expect(viewOf(views.all(), { status: 'rejected', code: 'insufficient_credit' })?.name).toBe('Poor');
    const minutesLater = rangeOf('hour', new Date(Date.now() - 5 * 60_000));
    expect(viewOf(views.all(), { status: 'failed', ...minutesLater })?.name).toBe('Hour');
    expect(viewOf(views.all(), { status: 'failed' })).toBeUndefined();
  });

  it('leave out what is no view', () => {
    stored.set(
      'console:views',
      JSON.stringify([null, 7, { name: '' }, { name: 'a', search: { kind: 'x' } }]),
    );
    expect(open().all()).toEqual([{ name: 'a', search: {} }]);
    stored.set('console:views', '{"a":');
    expect(open().all()).toEqual([]);
  });
});
