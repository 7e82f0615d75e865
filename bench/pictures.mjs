/**
 * CPU time of making a print rendition, with its checks, hash and quality warnings, against sharp's usual recipe, which
 * only scales: photographs of 12 megapixels, and ones compressed by a messenger. Both in this process with one thread
 * per picture, file to file. `node bench/pictures.mjs [rounds] [photographs]`
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { dist } from '../prove/support/service.mjs';
import { figure, interleaved, median } from './support/measure.mjs';

const rounds = Number(process.argv[2] ?? 5);
const count = Number(process.argv[3] ?? 4);

const directory = mkdtempSync(join(tmpdir(), 'bench-pictures-'));
const target = join(directory, 'rendition.jpg');

/** Noise of one grain: each dot of it covers `size` pixels. */
const noise = (width, height, size, sigma) =>
  sharp({
    create: {
      width: Math.ceil(width / size),
      height: Math.ceil(height / size),
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .png({ compressionLevel: 0 })
    .toBuffer();

/** Clouds, textures, edges and a little grain: as many bytes per pixel as a camera's. */
async function photograph(name, { width, height, quality, orientation }) {
  const edges = Array.from({ length: 60 }, () => {
    const [x, y, r] = [Math.random() * width, Math.random() * height, Math.random() * height * 0.12];
    const colour = `hsl(${Math.floor(Math.random() * 360)} 40% 50%)`;
    return `<rect x="${x}" y="${y}" width="${r * 2}" height="${r}" fill="${colour}" opacity="0.6"/>`;
  });
  const shapes = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${edges.join('')}</svg>`;
  const file = join(directory, name);
  const flat = await sharp(await noise(width, height, 200, 60))
    .composite([
      { input: Buffer.from(shapes) },
      { input: await noise(width, height, 12, 40), blend: 'overlay' },
      { input: await noise(width, height, 3, 22), blend: 'overlay' },
      { input: await noise(width, height, 1, 5), blend: 'overlay' },
    ])
    .removeAlpha()
    .png({ compressionLevel: 0 })
    .toBuffer();
  await sharp(flat).withMetadata({ orientation }).jpeg({ quality }).toFile(file);
  return file;
}

const recipe = (file) =>
  sharp(file)
    .rotate()
    .resize(1280, 1280, { fit: 'inside' })
    .jpeg({ quality: 78, mozjpeg: true })
    .toFile(target);

/** Loads the worker after the photographs are made: it disables SVG in sharp, and the console in its thread. */
async function loadWorker() {
  const { log } = console;
  const worker = await import(pathToFileURL(join(dist, 'inspection/pictures/picture-worker.js')).href);
  console.log = log;
  return worker.default;
}

async function ours(normalise, file) {
  const result = await normalise({ path: file, renditionPath: target, maxPixels: 40_000_000 });
  if (!result.picture) throw new Error(`refused: ${JSON.stringify(result)}`);
}

async function compare(normalise, what, files, limit) {
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / files.length / 1e6;
  figure(`${what}, megabytes each`, megabytes);
  const each = (make) => async () => {
    const before = process.cpuUsage();
    for (const file of files) await make(file);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / files.length;
  };
  const [usual, service] = [each(recipe), each((file) => ours(normalise, file))];
  await usual();
  await service();
  const [theirs, mine] = await interleaved(rounds, usual, service);
  figure(`${what}: the usual recipe`, median(theirs), ' ms');
  figure(`${what}: the service`, median(mine), ' ms');
  const ratios = theirs.map((time, round) => time / mine[round]);
  figure(`${what}: times less`, median(ratios), ' ×', ['>=', limit]);
}

try {
  console.log('\n# Pictures, processor time of one');
  const [camera, messenger] = [[], []];
  for (let index = 0; index < count; index++) {
    // Every other photograph was taken upright: EXIF states so, the pixels lie on their side.
    const large = { width: 4000, height: 3000, quality: 88, orientation: index % 2 ? 6 : 1 };
    camera.push(await photograph(`camera-${index}.jpg`, large));
    const small = { width: 1600, height: 1200, quality: 80, orientation: 1 };
    messenger.push(await photograph(`messenger-${index}.jpg`, small));
  }
  const normalise = await loadWorker();
  await compare(normalise, '12 megapixels', camera, 1.4);
  await compare(normalise, 'from a messenger', messenger, 5);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
