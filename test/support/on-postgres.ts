import { databases } from './databases.js';

const leftOut = Object.assign(() => undefined, { each: () => () => undefined });

/** `describe` and `it` for PostgreSQL alone; skipped in a step that does not run it. */
export const describeOnPostgres = (databases.includes('postgres') ? describe : leftOut) as jest.Describe;
export const itOnPostgres = (databases.includes('postgres') ? it : leftOut) as jest.It;
