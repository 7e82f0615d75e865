/**
 * The cost of a signature: the same reports drawn with and without one, interleaved, from the drawing to the hash of
 * the final file. No time-stamp server is called. `npm run build && node bench/signature.mjs`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const TARGET_MS = 250;
const ROUNDS = 9;

const load = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { AppConfig } = await load('common/app-config.js');
const { Clock } = await load('common/clock.js');
const { Logger } = await load('common/logger.js');
const { ReportSigning } = await load('pdf/signing/report-signing.js');
const { appendRevision } = await load('pdf/renderer/file/later-revision.js');
const { patchFile } = await load('pdf/renderer/file/file-sink.js');
const { default: PDFDocument } = await import('pdfkit');

const folder = mkdtempSync(join(tmpdir(), 'bench-signature-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const at = (name) => join(folder, name);
const openssl = (...args) => execFileSync('openssl', args, { stdio: 'pipe' });
openssl(
  ...['req', '-x509', '-newkey', 'rsa:3072', '-nodes', '-days', '2', '-subj', '/CN=Bench'],
  ...['-keyout', at('key'), '-out', at('crt')],
);
openssl(
  'pkcs12',
  '-export',
  '-inkey',
  at('key'),
  '-in',
  at('crt'),
  '-out',
  at('p12'),
  '-passout',
  'pass:bench',
);
const config = AppConfig.from({ SIGNING_P12: at('p12'), SIGNING_P12_PASSWORD: 'bench' });
const signing = await ReportSigning.open(config, new Clock(), new Logger('silent'));

async function report(photographs) {
  const document = new PDFDocument({ pdfVersion: '1.7', autoFirstPage: false, info: { Title: 'Bench' } });
  const chunks = [];
  document.on('data', (chunk) => chunks.push(chunk));
  for (let index = 0; index < photographs; index++) {
    const noise = { type: 'gaussian', mean: 128, sigma: 26 };
    const picture = await sharp({
      create: { width: 1280, height: 960, channels: 3, background: '#888', noise },
    })
      .jpeg({ quality: 75 })
      .toBuffer();
    document.addPage().image(picture, 40, 40, { fit: [500, 400] });
  }
  const ended = new Promise((resolve) => document.on('end', resolve));
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

let missed = false;
for (const photographs of [30, 300]) {
  writeFileSync(at('sealed'), await report(photographs));
  const { size } = statSync(at('sealed'));
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(at('file'), readFileSync(at('sealed')));
    // A report without a signature ends here: its seal is written, and the whole file hashed.
    const hash = patchFile(at('file'), 0, '%PDF');
    const started = performance.now();
    const { revision } = signing.order();
    const later = appendRevision(at('file'), hash, revision);
    const { contents } = await signing.sign(later);
    patchFile(at('file'), size + later.contentsAt, contents).digest('hex');
    samples.push(performance.now() - started);
  }
  const cost = median(samples);
  missed ||= cost > TARGET_MS;
  console.log(
    `a report of ${(size / 1e6).toFixed(0)} MB: ${cost.toFixed(0)} ms for its signature (target ${TARGET_MS} ms)`,
  );
}
process.exitCode = missed ? 1 : 0;
