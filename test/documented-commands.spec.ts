import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from './support/app.js';
import { documents, isLaunch, isLike, type Sample, samplesOf } from './support/documents.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { defaultModel, type FakeModel, startFakeModel } from './support/fake-model.js';
import { type Mailbox, openMailbox } from './support/mailbox.js';
import { installed } from './support/services.js';

const root = join(__dirname, '..');

/** Programs other than curl that the samples of a page use. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/backup.md': ['sqlite3', 'rsync'],
};

/** Pages with blocks of the kind `text`, which no test runs, and the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'docs/moving.md': 'needs a Flowise; test/moving.spec.ts runs the command against one',
  'docs/operations/deploy.md':
    'needs Docker; test/deployment.spec.ts compares the commands with package.json',
  'docs/operations/databases.md': 'a line of .env, read by test/variables.spec.ts',
  'docs/operations/scale.md': 'starts two services on a PostgreSQL',
  'docs/operations/storage.md': 'lines of .env, read by test/variables.spec.ts',
};

/** Blocks that are no commands: a web page, output, drawings, code. */
const SHOWN_ALONE = ['html', '', 'ts'];

/** Blocks that other tests run: settings of nginx, examples of nodes, and the OpenAI client. */
const RUN_ELSEWHERE = ['nginx', 'json flow', 'json call', 'json answer', 'js'];

const isRun = (sample: Sample): boolean => sample.kind === 'sh' && !isLaunch(sample);
const pages = documents.filter((document) => samplesOf(document).some(isRun));

/** Parses the last JSON document of an output: `curl` writes one directly after another. */
function lastJson(output: string): unknown {
  for (const { index } of output.matchAll(/\{/g)) {
    try {
      return JSON.parse(output.slice(index));
    } catch {
      // A later document follows this one, or the brace is inside of one.
    }
  }
  return undefined;
}

/** Outputs that a page promises in words. */
const SHOWN: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'README.md': ['2 photographs in Kitchen', /Photographs: 3\nPages: \d/],
  'docs/api.md': [
    'data: {"event":"token"',
    'The same answer, charged once.',
    '"object":"chat.completion"',
    '"balance":',
  ],
};

/** Separates the outputs of blocks. */
const SEPARATOR = '\u001E';

describe('the samples in the documents', () => {
  let app: TestApp;
  let folder: string;
  let model: FakeModel;
  let embeddings: FakeEmbeddings;
  let mailbox: Mailbox;
  let target: Server;

  beforeAll(async () => {
    model = await startFakeModel();
    embeddings = await startFakeEmbeddings();
    mailbox = await openMailbox();
    target = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"rate":1.17}');
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    app = await startTestApp({
      env: {
        SAMPLES: 'on',
        INITIAL_CREDIT: '1000',
        OUTBOUND_ALLOW: hostOfTarget(),
        SMTP_URL: mailbox.url,
        ...defaultModel(model),
      },
    });
    folder = mkdtempSync(join(tmpdir(), 'documented-'));
    symlinkSync(join(root, 'samples'), join(folder, 'samples'));
    symlinkSync(app.place.dataDir, join(folder, 'data'));
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await app.close();
    await Promise.all([model.close(), embeddings.close(), mailbox.close()]);
    target.close().closeAllConnections();
  });

  const hostOfTarget = () => `127.0.0.1:${(target.address() as AddressInfo).port}`;

  /** Replaces the services that the samples name by existing ones. */
  const here = (text: string): string =>
    text
      .replaceAll('http://127.0.0.1:3000', app.url)
      .replaceAll('http://127.0.0.1:11434/v1', embeddings.url)
      .replaceAll('https://rates.example.com', `http://${hostOfTarget()}`);

  /** Runs the blocks of a page in one shell, as a reader pastes them, and returns the output of each. */
  async function paste(document: string): Promise<string[]> {
    const blocks = samplesOf(document).filter(isRun);
    const script = join(folder, 'commands.sh');
    writeFileSync(script, blocks.map(({ text }) => here(`${text}printf '${SEPARATOR}'\n`)).join('\n'));
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', script], {
      cwd: folder,
      env: { ...process.env, ADMIN_API_KEY: app.adminKey },
      timeout: 50_000,
    });
    return stdout.split(SEPARATOR);
  }

  /** Returns each block of JSON with the output of the commands before it. */
  function answersOf(document: string, outputs: readonly string[]) {
    let run = -1;
    return samplesOf(document).flatMap((sample) => {
      if (isRun(sample)) run += 1;
      return sample.kind === 'json' ? [{ sample: sample.text, output: outputs[run] ?? '' }] : [];
    });
  }

  it.each(pages)(
    '%s: its commands succeed, with the shown answers',
    async (document) => {
      if (!(PROGRAMS[document] ?? []).every(installed)) return;
      const report = join(folder, 'report.pdf');
      rmSync(report, { force: true });
      const outputs = await paste(document);
      for (const { sample, output } of answersOf(document, outputs)) {
        const [expected, answer] = [JSON.parse(sample) as unknown, lastJson(output)];
        if (!isLike(expected, answer)) expect(answer).toEqual(expected);
      }
      const shown = outputs.join('\n');
      for (const text of SHOWN[document] ?? [])
        typeof text === 'string' ? expect(shown).toContain(text) : expect(shown).toMatch(text);
      const names = samplesOf(document).some((sample) => isRun(sample) && sample.text.includes('report.pdf'));
      if (names) expect(readFileSync(report).subarray(0, 5).toString()).toBe('%PDF-');
    },
    60_000,
  );

  it('of README.md can be pasted again: each time is a new inspection', async () => {
    expect((await paste('README.md')).join('\n')).toMatch(/Photographs: 3\nPages: \d/);
  });
});

describe('a sample in a document', () => {
  const samples = documents.flatMap((document) =>
    samplesOf(document).map((sample) => ({ document, ...sample })),
  );

  it('is run, or of a listed kind', () => {
    expect(pages.length).toBeGreaterThan(5);
    const kinds = ['sh', 'json', 'text', ...SHOWN_ALONE, ...RUN_ELSEWHERE];
    expect(samples.filter(({ kind }) => !kinds.includes(kind))).toEqual([]);
    const withText = samples.filter(({ kind }) => kind === 'text').map(({ document }) => document);
    expect([...new Set(withText)].sort()).toEqual(Object.keys(NOT_RUN).sort());
  });

  it('that only starts something names existing scripts and files', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const launches = samples.filter((sample) => sample.kind === 'sh' && isLaunch(sample));
    expect(launches.length).toBeGreaterThan(5);
    const missing = launches.flatMap(({ document, text }) => {
      const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!);
      const files = [...text.matchAll(/\bnode ([\w./-]+)/g)].map(([, file]) => file!);
      return [
        ...named.filter((name) => !(name in scripts)),
        ...files.filter((file) => !file.startsWith('dist/') && !existsSync(join(root, file))),
      ].map((name) => `${document}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
