import { join, resolve } from 'node:path';

/** Returns the path of a sample photograph in the repository. */
export const samplePhotograph = (name: string): string =>
  join(resolve(__dirname, '..', '..'), 'samples', 'photographs', `${name}.jpg`);
