import { serveTasks } from '../../common/processes/child-worker.js';
import { extractDocument } from './extract-document.js';

// A process that reads one document. It holds no secret, no connection and no file of ours.
serveTasks({ answer: extractDocument, blocks: true });
