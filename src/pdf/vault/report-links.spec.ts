import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { ReportLinks } from './report-links.js';

class SetClock extends Clock {
  time = 1_790_000_000_000;
  override now(): number {
    return this.time;
  }
}

describe('the address of a report', () => {
  const clock = new SetClock();
  let directory: string;
  let links: ReportLinks;

  const opened = async (env: Record<string, string> = {}) => {
    const config = AppConfig.from({ DATA_DIR: directory, ...env });
    return new ReportLinks(config, await Secrets.open(config, new Logger('silent')), clock);
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'links-'));
    links = await opened({ REPORT_LINK_HOURS: '2' });
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  const proofOf = (link: string) => {
    const { searchParams } = new URL(link);
    return { expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
  };

  it('opens its own report until it expires', () => {
    const proof = proofOf(links.link('https://reports.example', 'r1'));
    expect(links.opens('r1', proof)).toBe(true);
    clock.time += 2 * 3_600_000 - 1000;
    expect(links.opens('r1', proof)).toBe(true);
    clock.time += 1000;
    expect(links.opens('r1', proof)).toBe(false);
  });

  it('opens no other report, and cannot be lengthened', () => {
    const proof = proofOf(links.link('https://reports.example', 'r1'));
    expect(links.opens('r2', proof)).toBe(false);
    expect(links.opens('r1', { ...proof, expires: String(Number(proof.expires) + 1) })).toBe(false);
    expect(links.opens('r1', { ...proof, expires: `${proof.expires} ` })).toBe(false);
    expect(links.opens('r1', { ...proof, signature: '' })).toBe(false);
  });

  it('still opens after a restart', async () => {
    const proof = proofOf(links.link('https://reports.example', 'r1'));
    const restarted = await opened();
    expect(restarted.opens('r1', proof)).toBe(true);
  });
});
