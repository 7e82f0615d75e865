import { serveTasks } from '../../common/processes/child-worker.js';
import type { DecodingEnd } from './picture-job.js';
import normalise from './picture-worker.js';
import type { PictureSize, PictureTask } from './picture.js';

// A process that decodes pictures, one after another, and knows nothing of the service but the names of its files.
serveTasks<PictureTask, DecodingEnd, PictureSize>({
  async answer(task, seen) {
    try {
      const result = await normalise(task, seen);
      return { result, resident: process.memoryUsage.rss() };
    } catch (error) {
      return { error: (error as Error).message };
    }
  },
});
