import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** Entries of dist/ that are not the server: the web pages, unfinished builds, and locks. */
const others = /^web(-|$)|^\.server-|\.lock$/;

/**
 * Compiles src/ into dist/, checking all types: an error is reported and leaves dist/ unchanged. TypeScript's native
 * compiler takes two seconds, the one in JavaScript half a minute.
 */
export async function buildServer() {
  const made = join(dist, `.server-${process.pid}`);
  const clean = () => rmSync(made, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    await compile(made);
    const before = existsSync(dist) ? readdirSync(dist).filter((name) => !others.test(name)) : [];
    for (const name of before) rmSync(join(dist, name), { recursive: true, force: true });
    // The marker of a complete build comes last.
    const names = readdirSync(made).sort(
      (left, right) => Number(left === 'main.js') - Number(right === 'main.js'),
    );
    for (const name of names) renameSync(join(made, name), join(dist, name));
  } finally {
    process.off('exit', clean);
    clean();
  }
}

async function compile(outDir) {
  mkdirSync(dist, { recursive: true });
  const tsc = join(dirname(createRequire(import.meta.url).resolve('ts7/package.json')), 'bin', 'tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', outDir, '--noEmitOnError'];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code === 0) return;
  console.error('The server could not be built: see above.');
  process.exit(1);
}
