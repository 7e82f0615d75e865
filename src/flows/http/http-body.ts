import type { Json } from '../engine/json.js';
import { jsonOrText } from '../engine/node-values.js';
import { textOf } from '../engine/template.js';

/** The body of a request and its headers. */
interface HttpBody {
  content: string | Uint8Array;
  /** Content type, unless the node's headers name one. */
  type: string | undefined;
}

type BodyType = 'json' | 'raw' | 'formData' | 'xWwwFormUrlencoded' | undefined;

/**
 * Returns the body of an `http` node as it is sent. An object is encoded for its type, so that a caller's text stays inside
 * its member; a text is sent unchanged, unless it is the JSON of a form's fields.
 */
export async function httpBody(body: Json | undefined, type: BodyType): Promise<HttpBody | undefined> {
  if (body === undefined || body === null || body === '') return undefined;
  switch (type ?? (typeof body === 'string' ? 'raw' : 'json')) {
    case 'json':
      return { content: typeof body === 'string' ? body : JSON.stringify(body), type: 'application/json' };
    case 'xWwwFormUrlencoded':
      return {
        content: encodedForm(body),
        type: 'application/x-www-form-urlencoded',
      };
    case 'formData':
      return multipart(pairs(body), body);
    default:
      return { content: textOf(body), type: typeof body === 'string' ? undefined : 'application/json' };
  }
}

function encodedForm(body: Json): string {
  const fields = pairs(body);
  return typeof body === 'string' && fields.length === 0 ? body : new URLSearchParams(fields).toString();
}

/** Returns the fields of a form, also of a text that has them as JSON. */
const pairs = (body: Json): [string, string][] =>
  fieldsOf(typeof body === 'string' ? jsonOrText(body) : body).map(([name, value]) => [name, textOf(value)]);

/** Returns the members of an object, or of a list of `{ key, value }`, which flows of other tools have. */
export function fieldsOf(fields: Json | undefined): [string, Json][] {
  if (typeof fields !== 'object' || fields === null) return [];
  if (!Array.isArray(fields)) return Object.entries(fields);
  return fields.flatMap((item): [string, Json][] => {
    const { key, value } = typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {};
    return typeof key === 'string' ? [[key, value ?? '']] : [];
  });
}

async function multipart(fields: [string, string][], body: Json): Promise<HttpBody> {
  if (fields.length === 0 && typeof body !== 'object')
    throw new Error('The body of a form must be an object, or a list of { key, value }.');
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const encoded = new Response(form);
  return {
    content: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? undefined,
  };
}
