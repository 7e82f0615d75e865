import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { WrongInput } from './move-source.js';
import { foreignFileName, UploadPlaces } from './upload-places.js';

describe('the folder of uploads of the other side', () => {
  let folder: string;
  let root: string;
  let places: UploadPlaces;

  function put(path: string, content: string): void {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'uploads-'));
    root = join(folder, 'storage');
    put('org/flow/chat/front.png', 'in an organisation');
    put('flow/chat/old.txt', 'without one');
    put('org/flow/chat/車 Größe.txt', 'non-Latin');
    put('org/flow/chat/folder/x', 'a folder');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    symlinkSync(join(folder, 'secret.txt'), join(root, 'org/flow/chat/link.txt'));
    places = await UploadPlaces.in(root);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const found = async (name: string, chat = 'chat', flow = 'flow') => {
    const file = await places.find(flow, chat, name);
    return file && text(file.stream());
  };

  it('has its files by flow, chat and name, below an organisation or not', async () => {
    expect(await found('front.png')).toBe('in an organisation');
    expect(await found('old.txt')).toBe('without one');
    expect(await found('車 Größe.txt')).toBe('non-Latin');
    expect(await found('front.png', 'other')).toBeUndefined();
  });

  it('leads nowhere else, whatever a file is called', async () => {
    const secret = join(folder, 'secret.txt');
    for (const name of ['../../../../secret.txt', secret, 'link.txt', '..', '.', '', 'folder', 'a\0b', '/'])
      expect([name, await found(name)]).toEqual([name, undefined]);
    for (const chat of ['..', '../../..', folder, ''])
      expect(await found('secret.txt', chat)).toBeUndefined();
    expect(await found('secret.txt', 'x', '..')).toBeUndefined();
  });

  it('is told to be none before anything is done', async () => {
    await expect(UploadPlaces.in(join(folder, 'none'))).rejects.toThrow(WrongInput);
    await expect(UploadPlaces.in(join(folder, 'secret.txt'))).rejects.toThrow(WrongInput);
  });

  it.each([
    ['front.png', 'front.png'],
    ['/etc/passwd', 'etcpasswd'],
    ['../../up.txt', 'up.txt'],
    ['C:\\front.png', 'Cfront.png'],
    ['con', ''],
    ['trailing. ', 'trailing'],
    ['字'.repeat(100), '字'.repeat(85)],
  ])('keeps %j as %j', (given, kept) => {
    expect(foreignFileName(given)).toBe(kept);
  });
});
