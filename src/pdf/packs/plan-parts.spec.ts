import { unzipSync } from 'fflate';
import { type IndexHead, INDEX_NAME, planPack, zipFiles } from './plan-parts.js';

const head: IndexHead = { report: '20261025 12A.pdf', reference: 'r', missing: [] };

/** Weights that differ, each some kilobytes. */
const files = Array.from({ length: 40 }, (_, place) => ({
  name: `photographs/${place + 1} Küche.jpg`,
  bytes: 500 + ((place * 7_919) % 9_000),
  sha256: 'f'.repeat(64),
}));

async function zipped(list: readonly { name: string; bytes: number }[], index?: string): Promise<Buffer> {
  const read = (content: Uint8Array) =>
    async function* () {
      yield content;
    };
  const entries = list.map(({ name, bytes }) => ({ name, read: read(new Uint8Array(bytes)) }));
  const first = index === undefined ? [] : [{ name: INDEX_NAME, read: read(Buffer.from(index)) }];
  const pieces: Uint8Array[] = [];
  for await (const piece of zipFiles([...first, ...entries], Date.UTC(2026, 9, 25))) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('the parts of a pack', () => {
  it.each([15_000, 40_000, 1_000_000])(
    'weigh at most %i bytes, and hold every file once, in order',
    async (most) => {
      const { plan, index } = planPack(head, files, most);
      const names: string[] = [];
      for (const [place, part] of plan.entries()) {
        const zip = await zipped(part, place === 0 ? index : undefined);
        expect(zip.length).toBeLessThanOrEqual(most);
        names.push(...Object.keys(unzipSync(zip)));
      }
      expect(names).toEqual([INDEX_NAME, ...files.map(({ name }) => name)]);
    },
  );

  it('are counted in the index', () => {
    const counted = (most: number) => planPack(head, files, most).index.split('\n')[1];
    expect(counted(1_000_000)).toBe('Report r, in 1 part');
    expect(counted(40_000)).toMatch(/^Report r, in \d parts$/);
  });

  it('are no more than are needed', () => {
    const { plan } = planPack(head, files, 40_000);
    const weights = plan.map((part) => part.reduce((sum, { bytes }) => sum + bytes, 0));
    for (const [place, weight] of weights.slice(1, -1).entries())
      expect(weight + plan[place + 2]![0]!.bytes).toBeGreaterThan(40_000 - 10_000);
  });
});
