/**
 * Drawing the report: CPU time, memory and size, against plain pdfkit placing the same JPEGs with the same captions and
 * without any, and against Chromium printing the same page if it is installed; then a whole house with its observations, also
 * by another build if its `dist` is named. All ratios come from this one run. `npm run build && node bench/render.mjs
 * [photographs, 1000] [dist of another build]`
 */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import PDFKit from 'pdfkit';
import sharp from 'sharp';
import { wholeHouse } from './support/whole-house.mjs';

const dist = new URL('../dist/', import.meta.url);
const loadFrom = (folder) => (path) => import(new URL(path, folder).href);
const load = loadFrom(dist);
const { buildReport } = await load('inspection/report/build-report.js');
const { default: drawTask } = await load('pdf/renderer/draw-worker.js');

const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64url');
const most = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'bench-render-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const picture = (width, height, kind) =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: '#888' },
      noise: { type: 'gaussian', mean: 100 + kind * 10, sigma: 26 },
    },
  })
    .blur(1.1)
    .jpeg({ quality: 75, quantisationTable: 3 })
    .toBuffer();

async function makePhotographs(count, into) {
  mkdirSync(into, { recursive: true });
  const kinds = [];
  for (let kind = 0; kind < 8; kind += 1)
    kinds.push(await picture(...(kind % 4 === 3 ? [960, 1280] : [1280, 960]), kind));
  for (let index = 0; index < count; index += 1) writeFileSync(join(into, `${index}.jpg`), kinds[index % 8]);
}

function jobOf(count, pictureFolder, address = '27 Marlborough Road, London') {
  const pictures = new Map();
  const photographs = Array.from({ length: count }, (_, index) => {
    const path = join(pictureFolder, `${index}.jpg`);
    pictures.set(`k${index}`, path);
    const [width, height] = index % 8 === 3 || index % 8 === 7 ? [960, 1280] : [1280, 960];
    const area = `Room ${1 + Math.floor(index / 20)}`;
    const at = Date.UTC(2026, 9, 24, 9) + index * 20_000;
    return {
      id: `p${index}`, areaKey: area.toLowerCase(), areaName: area, areaType: 'room', capturedAt: at,
      source: 'captureTs', receivedAt: at, arrival: index, width, height, rendition: `k${index}`,
      renditionSha256: null, renditionBytes: statSync(path).size, sha256: '', bytes: 0,
    }; // prettier-ignore
  });
  const reportId = '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40';
  const now = Date.UTC(2026, 9, 26);
  const input = { reportId, now, photographs, remarks: [], meta: { address } };
  const contents = { details: { type: 'inspection', sessionId: 'bench' }, now, reports: [input] };
  const evidencePath = join(folder, 'evidence.json');
  return { contents, pictures, outputPath: join(folder, 'ours.pdf'), evidencePath, privateKey };
}

const photographsOf = ({ contents }) =>
  buildReport(contents.reports[0]).report.rooms.flatMap((room) => room.photographs);

const SHAPES = { landscape: [1280, 960], portrait: [960, 1280], wide: [1280, 720] };

/** The job to draw the whole house, each photograph a file of its own. */
async function houseJob() {
  const { areaNamed } = await load('inspection/areas/classify-area.js');
  const made = {};
  for (const [kind, [shape, [width, height]]] of Object.entries(SHAPES).entries())
    made[shape] = await picture(width, height, kind);
  const pictures = new Map();
  const input = wholeHouse(areaNamed, (shape, place) => {
    const path = join(folder, `house-${place}.jpg`);
    writeFileSync(path, made[shape]);
    pictures.set(`h${place}`, path);
    return `h${place}`;
  });
  const contents = { details: { type: 'inspection', sessionId: 'house' }, now: input.now, reports: [input] };
  const [outputPath, evidencePath] = [join(folder, 'house.pdf'), join(folder, 'evidence.json')];
  return { contents, pictures, outputPath, evidencePath, privateKey };
}

/** Draws in this process, as the worker does. */
const progress = { postMessage: () => undefined, close: () => undefined };
const draw = (job, task = drawTask) => task({ job, progress });

function plainPdfkit(job, captions) {
  return new Promise((resolve) => {
    const document = new PDFKit({ autoFirstPage: false, size: 'A4' });
    const file = createWriteStream(join(folder, 'pdfkit.pdf'));
    file.on('close', resolve);
    document.pipe(file);
    photographsOf(job).forEach(({ rendition, number, stamp }, index) => {
      if (index % 6 === 0) document.addPage().fontSize(8.5);
      const [x, y] = [48 + (index % 2) * 257, 52 + Math.floor((index % 6) / 2) * 230];
      document.image(job.pictures.get(rendition), x, y, { fit: [242, 205] });
      if (!captions) return;
      document.text(`Photograph ${number}`, x, y + 210, { lineBreak: false });
      document.text(stamp, x + 140, y + 210, { lineBreak: false });
    });
    document.end();
  });
}

async function cpuOf(work) {
  globalThis.gc?.();
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, result };
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

function chromiumMs(job) {
  const binary = ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => !spawnSync(name, ['--version']).error,
  );
  if (!binary) return null;
  const figures = photographsOf(job).map(
    ({ rendition, number, stamp }) =>
      `<figure><img src="${pathToFileURL(job.pictures.get(rendition))}"><figcaption>Photograph ${number} ${stamp}</figcaption></figure>`,
  );
  const page = join(folder, 'page.html');
  writeFileSync(
    page,
    `<style>figure{display:inline-block;width:46%;break-inside:avoid}img{width:100%}</style>${figures.join('')}`,
  );
  const print = `${binary} --headless --no-sandbox --disable-gpu --user-data-dir=${folder}/c --print-to-pdf=${folder}/c.pdf file://${page}`;
  const { stdout } = spawnSync('bash', ['-c', `${print} >/dev/null 2>&1; times`], { encoding: 'utf8' });
  if (!existsSync(join(folder, 'c.pdf'))) return null;
  const seconds = [
    ...stdout
      .trim()
      .split('\n')[1]
      .matchAll(/(\d+)m([\d.]+)s/g),
  ].map(([, m, s]) => m * 60 + Number(s));
  return (seconds[0] + seconds[1]) * 1000;
}

async function compare() {
  await makePhotographs(most, folder);
  const ratio = (ours, theirs) => (ours / theirs).toFixed(2);
  for (const count of [200, most]) {
    const job = jobOf(count, folder);
    const samples = { ours: [], bare: [], captioned: [] };
    let outcome;
    for (let round = 0; round < 7; round += 1) {
      const ours = await cpuOf(async () => draw(job));
      const bare = await cpuOf(() => plainPdfkit(job, false));
      const captioned = await cpuOf(() => plainPdfkit(job, true));
      outcome = ours.result;
      if (round === 0) console.log(`${count} photographs, cold: ours ${ours.ms.toFixed(0)} CPU-ms`);
      else for (const [name, { ms }] of Object.entries({ ours, bare, captioned })) samples[name].push(ms);
    }
    const jpegs = [...job.pictures.values()].reduce((sum, path) => sum + statSync(path).size, 0);
    const [ours, bare, captioned] = [median(samples.ours), median(samples.bare), median(samples.captioned)];
    console.log(
      `${count} photographs, warm: ours ${ours.toFixed(0)} CPU-ms = ${ratio(ours, bare)} x plain pdfkit placing the JPEGs, ${ratio(ours, captioned)} x with captions`,
    );
    console.log(
      `${count} photographs: file ${(outcome.bytes / jpegs).toFixed(4)} x its JPEGs (${(jpegs / count / 1000).toFixed(0)} KB each), ${outcome.pages} pages`,
    );
    const chromium = count === most ? chromiumMs(job) : null;
    if (chromium !== null)
      console.log(
        `${count} photographs: Chromium ${chromium.toFixed(0)} CPU-ms = ${ratio(chromium, ours)} x ours`,
      );
  }
  const peaks = [100, most].map((count) => {
    const { stdout } = spawnSync(
      process.execPath,
      [new URL(import.meta.url).pathname, '--memory', String(count), folder],
      { encoding: 'utf8' },
    );
    return Number(stdout);
  });
  console.log(
    `peak RSS: ${peaks[1].toFixed(0)} MB at ${most} = ${ratio(peaks[1], peaks[0])} x the ${peaks[0].toFixed(0)} MB at 100`,
  );
  const words = 'Bridge house, cote 17 river-side London '.repeat(26_000).slice(0, 1_000_000);
  const million = await cpuOf(async () => draw(jobOf(1, folder, words)));
  console.log(
    `a million characters of address: ${million.ms.toFixed(0)} CPU-ms, ${million.result.pages} pages`,
  );
}

const HOUSE_ROUNDS = 11;

async function house(other) {
  const job = await houseJob();
  const before = other && (await loadFrom(pathToFileURL(`${other}/`))('pdf/renderer/draw-worker.js')).default;
  const samples = { now: [], before: [] };
  let pages;
  for (let round = 0; round < HOUSE_ROUNDS; round += 1) {
    const now = await cpuOf(async () => draw(job));
    const then = before && (await cpuOf(async () => draw(job, before)));
    pages = [now.result.pages, then?.result.pages];
    if (round < 3) continue;
    samples.now.push(now.ms);
    if (then) samples.before.push(then.ms);
  }
  const [now, then] = [median(samples.now), median(samples.before)];
  console.log(`a whole house: ${now.toFixed(0)} CPU-ms, ${pages[0]} pages`);
  if (before)
    console.log(
      `a whole house by the other build: ${then.toFixed(0)} CPU-ms, ${pages[1]} pages; now ${(now / then).toFixed(2)} x`,
    );
}

async function memoryRun(count, pictureFolder) {
  const { PdfRenderer } = await load('pdf/renderer/pdf-renderer.js');
  const renderer = new PdfRenderer();
  await renderer.render(jobOf(count, pictureFolder));
  await renderer.close();
  // Not resourceUsage().maxRSS, which a child inherits from the process that started it.
  console.log(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024);
}

/** `--memory N`: this process only draws N photographs in a worker, and prints its own peak. */
if (process.argv[2] === '--memory') await memoryRun(Number(process.argv[3]), process.argv[4]);
else {
  await compare();
  await house(process.argv[3]);
}
