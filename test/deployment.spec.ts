import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment } from '../src/common/environment.js';
import { filesUnder } from './support/imports.js';

const root = resolve(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const image = read('Dockerfile');
const compose = read('compose.yaml');
const kubernetes = read('deploy/kubernetes.yaml');

/** Variables of the programs beside the service, and of its runtime. */
const OTHERS = /^(POSTGRES_|MINIO_|BUCKET_|AWS_|POD_IP$|NODE_ENV$|UV_THREADPOOL_SIZE$|MAX_HEAP_MB$)/;

/** No test machine can run containers, so the files are compared with the sources. */
describe('the files that run the service in containers', () => {
  it('set only variables that the service reads', () => {
    const set = [
      ...[...image.matchAll(/([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => name!),
      ...[...compose.matchAll(/\b([A-Z][A-Z0-9_]+)(?:: |=)/g)].map(([, name]) => name!),
      ...[...kubernetes.matchAll(/name: ([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name!),
    ];
    expect(set.length).toBeGreaterThan(20);
    expect(set.filter((name) => !(name in environment.shape) && !OTHERS.test(name))).toEqual([]);
  });

  it('start the service with the flags of npm start', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const plain = (command: string) =>
      /exec node (.*dist\/main\.js)/.exec(command)![1]!.replace(/\$+\{?MAX_HEAP_MB(:-\d+\})?/, 'MB');
    expect(plain(image)).toBe(plain(scripts.start));
    expect(plain(compose)).toBe(plain(scripts.start));
  });

  it('contain every folder that the service reads at run time', () => {
    const copied = [...image.matchAll(/COPY --from=build \/service\/(\S+)/g)].map(([, path]) => path!);
    for (const path of copied)
      expect([path, path === 'dist' || existsSync(join(root, path))]).toEqual([path, true]);
    const outside = filesUnder(join(root, 'src'))
      .filter((file) => !file.endsWith('.spec.ts'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/new URL\('(?:\.\.\/)+([a-z]+)\//g)].map(
          ([, folder]) => folder!,
        ),
      );
    expect(outside).toContain('assets');
    const needed = [...outside, 'node_modules', 'package.json'].filter((folder) =>
      existsSync(join(root, folder)),
    );
    expect(needed.filter((folder) => !copied.includes(folder) && folder !== 'test')).toEqual([]);
  });

  it('have the commands that docs/operations/deploy.md names in place of npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = Object.values(scripts).flatMap(
      (script) => /node dist\/\S+\.command\.js$/.exec(script) ?? [],
    );
    expect(commands.length).toBeGreaterThan(2);
    const page = read('docs/operations/deploy.md');
    expect(commands.filter((command) => !page.includes(command))).toEqual([]);
    const sources = commands.map((command) => command.replace('node dist', 'src').replace(/js$/, 'ts'));
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  });

  it('configure every store as the service expects it', () => {
    const values = [...compose.matchAll(/^ {6}([A-Z_]+): (\S+)$/gm)].map(([, name, value]) => [
      name,
      value!.replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]);
    const given = environment.parse(Object.fromEntries(values));
    expect(new URL(given.DATABASE_URL!).hostname).toBe('postgres');
    expect(new URL(given.REDIS_URL!).hostname).toBe('redis');
    expect(given.STORAGE_URL).toMatchObject({ bucket: 'reports' });
    for (const name of ['postgres', 'redis', 'bucket', 'proxy'])
      expect(compose).toMatch(new RegExp(`^ {2}${name}:$`, 'm'));
    expect(compose).toContain('replicas: 3');
    expect(kubernetes).toContain('REDIS_URL');
  });

  it('hide the same paths as the documented proxy', () => {
    const hidden = /^\s*(location .*return 404.*)$/gm;
    const [documented, deployed] = [read('docs/operations/deploy.md'), read('deploy/proxy.conf')].map(
      (text) => [...text.matchAll(hidden)].map(([, rule]) => rule),
    );
    expect(documented).toHaveLength(1);
    expect(deployed).toEqual(documented);
  });

  it('run it on Node 24, without privileges, on a read-only root', () => {
    expect([...image.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => major)).toEqual(
      expect.arrayContaining(['24']),
    );
    expect(image).not.toMatch(/^FROM node:(?!24)/m);
    // The last one holds at run time.
    expect([...image.matchAll(/^USER (\S+)/gm)].at(-1)?.[1]).toBe('node');
    expect(compose).toMatch(/^ {4}read_only: true$/m);
    for (const held of [
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
    ])
      expect(kubernetes).toContain(held);
  });

  it('probe readiness and liveness at the addresses of the service', () => {
    const probes = [...kubernetes.matchAll(/(\w+)Probe:[^]*?path: (\S+),/g)].map(([, probe, path]) => [
      probe,
      path,
    ]);
    expect(probes).toEqual([
      ['startup', '/health/ready'],
      ['readiness', '/health/ready'],
      ['liveness', '/health/live'],
    ]);
    expect(compose).toContain('/health/ready');
  });
});
