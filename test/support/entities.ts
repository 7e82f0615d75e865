import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export type EntityClass = new () => object;

/** Imports every entity class of the application. */
export async function entityClasses(): Promise<EntityClass[]> {
  const sources = join(__dirname, '../../src');
  const files = (readdirSync(sources, { recursive: true }) as string[]).filter((file) =>
    file.endsWith('.entity.ts'),
  );
  const modules = await Promise.all(
    files.map(async (file) => (await import(join(sources, file))) as Record<string, unknown>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((exported): exported is EntityClass => typeof exported === 'function');
}
