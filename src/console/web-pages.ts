import type { Response } from 'express';
import { fileURLToPath } from 'node:url';
import { NotFound, ServiceError } from '../common/service-error.js';
import { textFilesIn } from '../storage/text-files.js';

/** Where the build puts the pages, seen from the sources as from their compiled form. */
const builtPages = fileURLToPath(new URL('../../dist/web', import.meta.url));

/**
 * Only this service's own scripts, styles, pictures and answers; nothing inline, nothing sent elsewhere. Framed are
 * only files that a page itself has fetched (the preview of a report).
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  'frame-src blob:',
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The addresses of workers, the scripts that a page names by itself: the chat page's, and that which checks reports.
  'trusted-types chat-worker verify-worker',
].join('; ');

/** Names that the build gives: `chat-BNpTlMnu.js`. Anything else is no asset. */
const ASSET = /^[A-Za-z0-9_-]{1,100}\.(js|css|svg)$/;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const encodings: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' };

/**
 * Answers with a page of `web/` as it was built; every `{{name}}` in it becomes the value, as text. What stands between
 * `{{#name}}` and `{{/name}}` is left out where the value is empty; between `{{^name}}` and `{{/name}}`, where it is not.
 */
export async function sendPage(
  response: Response,
  status: number,
  page: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const template = await templateOf(page);
  const chosen = template.replaceAll(
    /\{\{([#^])(\w+)\}\}([^]*?)\{\{\/\2\}\}/g,
    (_, sign: string, name: string, part: string) => ((sign === '#') === Boolean(values[name]) ? part : ''),
  );
  const html = chosen.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? escaped(values[name]!) : mark,
  );
  response.status(status);
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cache-Control', 'no-store');
  response.vary('Accept');
  response.type('html').send(html);
}

/** Answers with a script, style or picture of the pages. Their names change with their content: browsers keep them. */
export function sendAsset(response: Response, name: string): Promise<void> {
  const ending = ASSET.exec(name)?.[1];
  if (ending === undefined) throw new NotFound('The file');
  const encoding = response.req.acceptsEncodings(['br', 'gzip', 'identity']) || 'identity';
  response.vary('Accept-Encoding');
  response.setHeader('Content-Type', types[ending]!);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  const options = { root: builtPages, cacheControl: false, etag: false, lastModified: false };
  return new Promise((resolve, reject) => {
    const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };
    response.sendFile(
      `assets/${name}${encodings[encoding] ?? ''}`,
      { ...options, headers },
      (error?: Error) => {
        if (!error || response.headersSent) return resolve();
        response.removeHeader('Content-Encoding');
        reject(new NotFound('The file'));
      },
    );
  });
}

/** Answers with another file of the build, whose name stays the same when its content changes. */
export function sendBuiltFile(
  response: Response,
  name: string,
  type: string,
  cacheControl: string,
): Promise<void> {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', cacheControl);
  return new Promise((resolve, reject) => {
    response.sendFile(name, { root: builtPages, cacheControl: false }, (error?: Error) => {
      if (!error || response.headersSent) return resolve();
      reject(notBuilt(error));
    });
  });
}

/** Reads the page each time: a build may have replaced it, and the names of its scripts. */
async function templateOf(page: string): Promise<string> {
  const files = await textFilesIn(builtPages, '.html').catch((cause: unknown) => {
    throw notBuilt(cause);
  });
  const template = files.find(({ stem }) => stem === page);
  if (!template) throw notBuilt();
  return template.text;
}

const notBuilt = (cause?: unknown): ServiceError =>
  new ServiceError('pages_not_built', 'The web pages have not been built. Run npm run build.', {
    cause,
  });

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
