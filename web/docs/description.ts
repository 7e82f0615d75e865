/** The parts of the OpenAPI description that the page shows. */
export interface Description {
  info: { title: string; description?: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
  };
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Media {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}

export interface Header {
  $ref?: string;
  description?: string;
}

interface Answer {
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}

/** An operation with its address. */
export interface Route extends Operation {
  method: string;
  path: string;
}

export interface RouteGroup {
  tag: string;
  routes: Route[];
}

/** Returns the operations by tag, in the order of the tags. With `words`, only those that contain all of them. */
export function groupsOf({ tags, paths }: Description, words: string): RouteGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  const found = routes.filter(({ method, path, summary, tags: [tag = ''] }) => {
    const text = `${method} ${path} ${summary} ${tag}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return tags
    .map(({ name }) => ({ tag: name, routes: found.filter((route) => route.tags[0] === name) }))
    .filter((group) => group.routes.length > 0);
}

/** Returns who may call, in words. */
export function accessOf({ security }: Operation): string {
  const keys = new Set(security.flatMap((way) => Object.keys(way)));
  const open = security.some((way) => Object.keys(way).length === 0);
  if (keys.size === 0) return 'no key';
  if (!keys.has('flowKey')) return 'admin key';
  if (!keys.has('adminKey')) return open ? 'flow key, if the flow has one' : 'flow key';
  return open ? 'flow key or admin key, or none' : 'flow key or admin key';
}

/** Returns the last part of a reference: `#/components/schemas/Problem` → `Problem`. */
export const nameOfReference = (reference: string): string => reference.split('/').at(-1)!;
