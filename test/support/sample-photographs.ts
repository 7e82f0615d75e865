import { join, resolve } from 'node:path';

/** Where one of the photographs stands that the repository comes with. */
export const samplePhotograph = (name: string): string =>
  join(resolve(__dirname, '..', '..'), 'samples', 'photographs', `${name}.jpg`);
