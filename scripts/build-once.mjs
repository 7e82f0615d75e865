import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/** A build takes seconds: an older lock is stale, even if its holder's process id exists. */
const OLDEST_LOCK_MS = 5 * 60_000;

/**
 * Builds missing output once, however many processes request it at once: one builds, the others wait until it has.
 * Output in use is never replaced by a second build of the same. A lock whose process has died blocks nobody.
 */
export async function buildOnce(lock, isMissing, build) {
  mkdirSync(dirname(lock), { recursive: true });
  while (isMissing()) {
    if (!taken(lock)) {
      await pause(LOOK_EVERY_MS);
      continue;
    }
    const release = () => rmSync(lock, { force: true });
    process.once('exit', release);
    try {
      if (isMissing()) await build();
    } finally {
      process.off('exit', release);
      release();
    }
    return;
  }
}

function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > OLDEST_LOCK_MS) return false;
    const holder = Number(readFileSync(lock, 'utf8'));
    // It has not written its name yet.
    if (holder === 0) return true;
    return holder !== process.pid && process.kill(holder, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
