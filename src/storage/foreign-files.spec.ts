import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headOf, smallFile } from './foreign-files.js';

describe('files of other programs', () => {
  let folder: string;
  let pipe: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'foreign-files-'));
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('are regular files: pipes, devices and folders are refused at once', async () => {
    for (const path of [pipe, '/dev/zero', folder]) {
      await expect(headOf(path, 10)).rejects.toThrow('not a regular file');
      await expect(smallFile(path, 10)).rejects.toThrow('not a regular file');
    }
  });

  it('are read', async () => {
    const path = join(folder, 'key');
    writeFileSync(path, 'secret');
    expect((await headOf(path, 3))?.head.toString()).toBe('sec');
    expect((await smallFile(path, 10)).toString()).toBe('secret');
    await expect(smallFile(path, 5)).rejects.toThrow('at most 5');
  });
});
