import { serveTasks } from '../../../common/processes/child-worker.js';
import { runInSandbox } from './quickjs-worker.js';

// A process that runs functions of flows one after another. It holds no secret, connection or file of the service.
serveTasks({
  answer: runInSandbox,
  // The first virtual machine is slow to create.
  prepared: runInSandbox({ code: '', globals: {}, timeoutMs: 10_000, memoryMb: 1 }),
  blocks: true,
});
