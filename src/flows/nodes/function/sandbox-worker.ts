import { serveTasks } from '../../../common/processes/child-worker.js';
import { runInSandbox } from './quickjs-worker.js';

// A process that runs functions of flows, one after another. It holds no secret, no connection and no file of ours.
serveTasks({
  answer: runInSandbox,
  // The first machine is slow to make.
  prepared: runInSandbox({ code: '', globals: {}, timeoutMs: 10_000, memoryMb: 1 }),
  blocks: true,
});
