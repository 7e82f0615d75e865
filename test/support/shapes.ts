import { z } from 'zod';

export const isShape = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

/** Returns the paths of objects that drop undescribed members, where those of an answer would pass unnoticed. */
export function lenientParts(shape: z.core.$ZodType, path = ''): string[] {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const parts = Object.entries(def.shape).flatMap(([name, part]) =>
        lenientParts(part, `${path}.${name}`),
      );
      return def.catchall === undefined ? [path, ...parts] : parts;
    }
    case 'array':
      return lenientParts(def.element, `${path}[]`);
    case 'union':
      return def.options.flatMap((part) => lenientParts(part, path));
    case 'record':
      return lenientParts(def.valueType, `${path}.*`);
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'readonly':
      return lenientParts(def.innerType, path);
    default:
      return [];
  }
}
