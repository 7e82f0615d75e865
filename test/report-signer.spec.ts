import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig, ConfigError } from '../src/common/app-config.js';
import { Clock } from '../src/common/clock.js';
import { Logger } from '../src/common/logger.js';
import { ReportSigning } from '../src/pdf/signing/report-signing.js';
import { type P12Manner, p12File } from './support/signing-files.js';
import { personNamed } from './support/signing-people.js';

const PASSWORD = 'open sesame';
const DAY_MS = 86_400_000;

describe('the file that signs reports', () => {
  const logger = new Logger('silent');
  let warned: jest.SpiedFunction<Logger['warn']>;
  let directory: string;
  let made = 0;

  beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'signer-'))));
  beforeEach(() => (warned = jest.spyOn(logger, 'warn').mockClear()));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const open = (file: string, password = PASSWORD, clock = new Clock(), rest: object = {}) => {
    const config = AppConfig.from({ SIGNING_P12: file, SIGNING_P12_PASSWORD: password, ...rest });
    return ReportSigning.open(config, clock, logger);
  };
  const faultsOf = (...given: Parameters<typeof open>): Promise<readonly string[]> =>
    open(...given).then(
      () => [],
      (error: unknown) => {
        if (error instanceof ConfigError) return error.faults;
        throw error;
      },
    );
  const file = (manner: P12Manner = {}, person = personNamed('Inspections Ltd'), name = `file-${++made}`) =>
    person.then((one) => p12File(directory, name, one, manner));
  const at = (epochMs: number) => Object.assign(new Clock(), { now: () => epochMs });

  it('is opened with RSA and EC keys, in old and new encryption, with any password', async () => {
    for (const kind of ['RSA', 'EC'] as const) {
      for (const manner of [{}, { legacy: true }, { password: 'pässwörd' }, { password: '' }]) {
        const path = await file(manner, personNamed('Inspections Ltd', kind));
        const { identity } = await open(path, 'password' in manner ? manner.password : PASSWORD);
        expect(identity).toEqual({
          name: 'Inspections Ltd',
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        });
      }
    }
  });

  it('is named as its certificate names it, with commas and quotes', async () => {
    const name = 'Smith, Jones + Co; "Lettings" <Müller> Ltd';
    const { identity } = await open(await file({}, personNamed(name)));
    expect(identity?.name).toBe(name);
  });

  it('signs nothing if none is configured, and reports if a time-stamp server then has no effect', async () => {
    const signing = await open('', '', undefined, { TSA_URL: 'http://127.0.0.1:1' });
    expect(signing.identity).toBeUndefined();
    expect(signing.order()).toEqual({ warnings: [] });
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('TSA_URL has no effect'));
  });

  it.each<[string, () => Promise<string> | string, RegExp]>([
    ['is missing', () => join(directory, 'nowhere.p12'), /^SIGNING_P12: .*nowhere\.p12 is not there\.$/],
    ['is a directory', () => directory, /^SIGNING_P12: .* is no file\.$/],
    ['has another password', () => file({ password: 'other' }), /^SIGNING_P12_PASSWORD: is not the password/],
    [
      'has another password, in the old form',
      () => file({ password: 'other', legacy: true }),
      /^SIGNING_P12_PASSWORD: is not the password/,
    ],
    ['holds no key', () => file({ certificatesOnly: true }), /^SIGNING_P12: .* holds no private key\.$/],
    [
      'has expired',
      () => file({}, personNamed('Old Ltd', 'EC', -1)),
      /^SIGNING_P12: .* has expired: the certificate of "Old Ltd" was valid until \d{4}-\d\d-\d\d\. Replace it/,
    ],
  ])('prevents the start with a sentence if it %s', async (_, make, said) => {
    expect(await faultsOf(await make())).toEqual([expect.stringMatching(said)]);
  });

  it('prevents the start if it is no PKCS #12 file, or truncated', async () => {
    const path = join(directory, 'other.p12');
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('-----BEGIN CERTIFICATE-----'),
      Buffer.from([0x30, 0x82, 1]),
    ]) {
      writeFileSync(path, bytes);
      expect(await faultsOf(path)).toEqual([`SIGNING_P12: ${path} is not a readable PKCS #12 file.`]);
    }
  });

  it('prevents the start if its key belongs to none of its certificates', async () => {
    const [one, other] = [await personNamed('One'), await personNamed('Other')];
    const path = await p12File(directory, 'strange', one, { keyOf: other });
    expect(await faultsOf(path)).toEqual([expect.stringContaining('belongs to none of its certificates')]);
  });

  it('prevents the start before its certificate becomes valid', async () => {
    const path = await file();
    expect(await faultsOf(path, PASSWORD, at(Date.now() - 30 * DAY_MS))).toEqual([
      expect.stringContaining('is not valid yet'),
    ]);
  });

  it('causes a warning if its certificate expires soon', async () => {
    await open(await file({}, personNamed('Short Ltd', 'EC', 5)));
    expect(warned).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('expires soon'));
  });

  it('reserves no space for a signature once its certificate has expired, and reports it: the report is unsigned', async () => {
    const clock = at(Date.now());
    const signing = await open(await file({}, personNamed('Short Ltd', 'EC', 5)), PASSWORD, clock);
    expect(signing.order()).toMatchObject({ revision: { signedAt: clock.now() }, warnings: [] });
    clock.now = () => Date.now() + 6 * DAY_MS;
    expect(signing.order()).toEqual({
      warnings: [{ code: 'report_not_signed', message: expect.stringContaining('has expired') }],
    });
  });
});
