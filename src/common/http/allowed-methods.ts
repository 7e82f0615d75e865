import type { Request } from 'express';

/** The part of Express's router that is read: its layers and the methods of their routes. */
interface RouterLayer {
  route?: { methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that exist at this request's path, upper case; empty when nothing is there at all. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: RouterLayer[] } }).router;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  methods.delete('_ALL');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
