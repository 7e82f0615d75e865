import { serveTasks } from '../../common/processes/child-worker.js';
import { readDocument } from './read-document.js';

// The process that reads one document. It holds no secret, no connection and no file of the service.
serveTasks({ answer: readDocument, blocks: true });
