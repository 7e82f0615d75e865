import { writeFileSync } from 'node:fs';
import type { PictureSize, PictureTask } from '../photos/picture.js';
import type { FromChild, ToChild } from './process-worker.js';
import normalise from '../photos/picture-worker.js';

// A process that decodes pictures, one after another, and knows nothing of the service but the files it is told.

const tell = (message: FromChild): void => {
  process.send?.(message, () => undefined);
};

async function answer(task: PictureTask): Promise<void> {
  try {
    const result = await normalise(task, (size: PictureSize) => tell({ seen: size }));
    tell({ result, resident: process.memoryUsage.rss() });
  } catch (error) {
    tell({ error: (error as Error).message });
  }
}

// Where memory runs out, the system should end this process and not the service.
try {
  writeFileSync('/proc/self/oom_score_adj', '800');
} catch {
  // Not Linux, or not allowed: then it is like any other.
}
// The service decides when it ends, also where a terminal signals to all.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (message: ToChild) => void answer(message));
tell({ ready: true });
