import { databases } from './databases.js';

const leftOut = Object.assign(() => undefined, { each: () => () => undefined });

/** `describe` and `it` for what is about PostgreSQL alone: nothing in a step that leaves PostgreSQL to another. */
export const describeOnPostgres = (databases.includes('postgres') ? describe : leftOut) as jest.Describe;
export const itOnPostgres = (databases.includes('postgres') ? it : leftOut) as jest.It;
