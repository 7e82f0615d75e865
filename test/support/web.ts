import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Builds the web pages if they are missing or older than their sources. */
export function buildPages(): void {
  const script = join(resolve(__dirname, '..', '..'), 'scripts', 'ensure-web.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the web pages could not be built:\n${stderr}`);
}
