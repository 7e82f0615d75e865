import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');

/** The oldest Node that `engines` promises. */
const [MAJOR, MINOR] = [20, 19];

/** Whether a range of versions takes it, as far as ranges of `engines` go: alternatives of `>=`, `^`, `~`, `*` or a version. */
const takes = (range: string): boolean =>
  range.split('||').some((alternative) => {
    const [, sign, major = '0', minor = '0'] = /^\s*(\D*?)\s*(\d+)(?:\.(\d+))?/.exec(alternative) ?? [];
    if (sign === undefined) return true;
    if (Number(major) === MAJOR) return Number(minor) <= MINOR;
    return sign.startsWith('>') && Number(major) < MAJOR;
  });

describe('who is new here', () => {
  it('is not warned of a package that does not want the Node that this one takes', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { engines?: { node?: string }; optional?: boolean }>;
    };
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    const unwilling = Object.entries(packages)
      .filter(([, { engines, optional }]) => !optional && engines?.node && !takes(engines.node))
      .map(([name, { engines }]) => `${name.replace(/.*node_modules\//, '')}: ${engines!.node}`);
    expect(unwilling).toEqual([]);
  });

  it('has a clean copy after the commands of the README', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const left = [...readme.matchAll(/(?:\btee|-o) ([\w./-]+)/g)].map(([, name]) => name!);
    const made = [...left, '20261122 14 LS1 4AP.pdf', 'data/admin-key', 'demo-output/x.pdf', 'dist/main.js'];
    expect(left.length).toBeGreaterThan(0);
    for (const name of made) {
      const { status } = spawnSync('git', ['check-ignore', '-q', '--no-index', name], { cwd: root });
      // Where this is no clone there is nothing to keep clean.
      if (status !== 128) expect([name, status]).toEqual([name, 0]);
    }
  });
});
