import { PictureLoader } from './picture-loader.js';

describe('the loader of pictures', () => {
  const signal = new AbortController().signal;
  const loaded: string[] = [];
  let letGo: (() => void)[] = [];
  const slow = (id: string) => {
    loaded.push(id);
    return new Promise<Blob>((resolve) => letGo.push(() => resolve(new Blob([id]))));
  };
  const settle = async () => {
    letGo.forEach((go) => go());
    letGo = [];
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  beforeEach(() => loaded.splice(0));

  it('fetches a few at a time and skips those no longer wanted', async () => {
    const loader = new PictureLoader(slow, 10);
    const gone = new AbortController();
    const wanted = ['a', 'b', 'c', 'd'].map((id) => loader.get(id, '0', signal));
    const left = loader.get('e', '0', gone.signal);
    const last = loader.get('f', '0', signal);
    expect(loaded).toEqual(['a', 'b', 'c', 'd']);
    gone.abort();
    await settle();
    await expect(left).rejects.toThrow();
    expect(loaded).toEqual(['a', 'b', 'c', 'd', 'f']);
    await settle();
    expect(await Promise.all([...wanted, last].map(async (blob) => (await blob).text()))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'f',
    ]);
  });

  it('caches the last ones', async () => {
    const loader = new PictureLoader((id) => (loaded.push(id), Promise.resolve(new Blob([id]))), 2);
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await loader.get(id, '0', signal);
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
  });

  it('continues after a failure, and retries that picture on request', async () => {
    let failing = true;
    const loader = new PictureLoader(
      (id) => (failing ? Promise.reject(new Error('gone')) : Promise.resolve(new Blob([id]))),
      2,
    );
    const all = await Promise.allSettled(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => loader.get(id, '0', signal)),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    failing = false;
    expect(await (await loader.get('a', '0', signal)).text()).toBe('a');
  });

  it('fetches another version, and an earlier one again', async () => {
    const loader = new PictureLoader((id) => (loaded.push(id), Promise.resolve(new Blob([id]))), 10);
    for (const version of ['0', '90', '90', '0']) await loader.get('a', version, signal);
    expect(loaded).toEqual(['a', 'a', 'a']);
  });
});
