import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flowiseEncrypted } from '../../../test/support/flowise.js';
import { variablesReadIn } from '../../flows/import/rows/row-settings.js';
import { secretIn } from './credentials.js';
import { isEncrypted, Passphrase } from './passphrase.js';

describe('a passphrase', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'passphrase-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (text: string): string => {
    const path = join(folder, 'key');
    writeFileSync(path, text);
    return path;
  };

  it('opens what was encrypted with it, also with a line break behind it in its file', async () => {
    const encrypted = flowiseEncrypted({ openAIApiKey: 'sk-ä' }, 'of the other side');
    for (const text of ['of the other side', 'of the other side\n', 'of the other side\r\n'])
      expect((await Passphrase.read(file(text), undefined))?.open(encrypted)).toEqual({
        openAIApiKey: 'sk-ä',
      });
    const given = await Passphrase.read(undefined, 'of the other side');
    expect(given?.open(encrypted)).toEqual({ openAIApiKey: 'sk-ä' });
    expect(await Passphrase.read(undefined, undefined)).toBeUndefined();
  });

  it('opens nothing else', async () => {
    const wrong = await Passphrase.read(undefined, 'another');
    const others = Array.from({ length: 50 }, () => flowiseEncrypted({ a: 'b' }, 'right'));
    for (const text of [
      ...others,
      '',
      'U2FsdGVkX18',
      'no base64 at all',
      flowiseEncrypted('text', 'another'),
    ])
      expect(wrong!.open(text)).toBeUndefined();
    expect([isEncrypted(others[0]), isEncrypted('FlowiseCredential_x'), isEncrypted(null)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('that is missing, empty or too long is told', async () => {
    await expect(Passphrase.read(join(folder, 'gone'), undefined)).rejects.toThrow('cannot be read (ENOENT)');
    await expect(Passphrase.read(file(' \n'), undefined)).rejects.toThrow('is empty');
    await expect(Passphrase.read(file('x'.repeat(5000)), undefined)).rejects.toThrow('at most 4096');
  });
});

describe('a credential of elsewhere', () => {
  it.each([
    ['openAIApi', { openAIApiKey: 'sk-1' }, { kind: 'api-key', data: { apiKey: 'sk-1' } }, []],
    ['openAIApi', { openAIApiKey: ' sk-1\n' }, { kind: 'api-key', data: { apiKey: 'sk-1' } }, []],
    ['groqApi', { groqApiKey: 'k', groqOrg: 'o' }, { kind: 'api-key', data: { apiKey: 'k' } }, ['groqOrg']],
    ['ofTomorrow', { secretWord: 'w', empty: '' }, { kind: 'api-key', data: { apiKey: 'w' } }, []],
    ['httpBearerToken', { token: 't' }, { kind: 'api-key', data: { apiKey: 't' } }, []],
    [
      'httpBasicAuth',
      { basicAuthUsername: 'u', basicAuthPassword: 'p' },
      { kind: 'basic', data: { username: 'u', password: 'p' } },
      [],
    ],
    [
      'httpApiKey',
      { key: 'X-Key', value: 'v ' },
      { kind: 'header', data: { name: 'X-Key', value: 'v' } },
      [],
    ],
  ])('%s is one here', (name, data, secret, lost) => {
    expect(secretIn(name, data)).toEqual({ secret, lost });
  });

  it.each([
    ['awsApi', { awsKey: 'a', awsSecret: 'b' }, 'it holds awsKey, awsSecret'],
    ['empty', {}, 'it holds nothing'],
    ['openAIApi', { openAIApiKey: 'line\nbreak' }, 'cannot be sent in a header'],
    ['httpBasicAuth', { basicAuthUsername: 'u' }, 'cannot be sent in a header'],
  ])('%s is none', (name, data, why) => {
    expect(secretIn(name, data as never)).toEqual({ why: expect.stringContaining(why) });
  });
});

describe('variables in a flow', () => {
  it('are found in texts and in code', () => {
    const { reads, names } = variablesReadIn(
      JSON.stringify([
        '{{$vars.firma}}',
        'return $vars["a b"] + $vars.größe - $vars.n-1',
        "$vars?.['c']",
        '$varsity.x',
      ]),
    );
    expect(['firma', 'a b', 'größe', 'n', 'c'].filter((name) => !reads(name))).toEqual([]);
    expect([reads('x'), reads('fir'), names.has('firma')]).toEqual([false, false, true]);
  });

  it('may be any where the code names none', () => {
    expect(variablesReadIn('Object.keys($vars)').reads('whatever')).toBe(true);
    expect(variablesReadIn('$vars[name]').reads('whatever')).toBe(true);
    expect(variablesReadIn('$vars.one').reads('whatever')).toBe(false);
  });
});
