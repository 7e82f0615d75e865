import { AddExecutions1700000001000 } from './migrations/1700000001000-executions.js';
import { AddAccess1700000003000 } from './migrations/1700000003000-access.js';
import { AddInspection1700000005000 } from './migrations/1700000005000-inspection.js';

/** Every migration, oldest first. A new one goes to the end; one that was released never changes. */
export const migrations = [AddExecutions1700000001000, AddAccess1700000003000, AddInspection1700000005000];
