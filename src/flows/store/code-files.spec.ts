import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCodeOfFiles } from './code-files.js';

describe('code that stands in files of its own', () => {
  let folder: string;
  const read = (code: unknown) =>
    withCodeOfFiles(
      { id: 'flow', nodes: [{ id: 'sum', kind: 'function', config: { code } }] },
      { path: join(folder, 'flow.json'), stem: 'flow', text: '{…}' },
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'code-files-'));
    await mkdir(join(folder, 'parts'));
    await writeFile(join(folder, 'parts', 'words.js'), 'const one = 1;');
    await writeFile(join(folder, 'sum.js'), 'return one + 1;');
    await writeFile(`${folder}-other.js`, 'secret');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await rm(`${folder}-other.js`);
  });

  it('is put in its place, file after file, and changes what the flow was made of', async () => {
    const { value, texts, faults } = await read({ files: ['parts/words.js', 'sum.js'] });
    expect(value).toMatchObject({ nodes: [{ config: { code: 'const one = 1;\nreturn one + 1;' } }] });
    expect(texts).toEqual(['{…}', 'const one = 1;', 'return one + 1;']);
    expect(faults).toEqual([]);
  });

  it.each(['missing.js', '../code-files-other.js', 'parts/../../other.js', '/etc/hostname', 'parts'])(
    'is refused with its node where it is not a file of the folder: %s',
    async (name) => {
      const { faults } = await read({ files: [name] });
      expect(faults).toEqual([expect.stringContaining('flow.json: nodes.0.config.code: ')]);
    },
  );

  it.each([['return 1;'], [{ files: 'sum.js' }], [{ files: [1] }], [null]])(
    'leaves alone: %j',
    async (code) => {
      const { value, faults } = await read(code);
      expect(value).toMatchObject({ nodes: [{ config: { code } }] });
      expect(faults).toEqual([]);
    },
  );

  it.each([[null], [[]], ['x'], [{ nodes: 'x' }], [{ nodes: [null, 1, { config: null }] }]])(
    'leaves what is no flow to its own faults: %j',
    async (value) => {
      const read = await withCodeOfFiles(value, { path: 'x.json', stem: 'x', text: '' });
      expect(read).toMatchObject({ value, faults: [] });
    },
  );
});
