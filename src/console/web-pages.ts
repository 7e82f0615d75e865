import type { Response } from 'express';
import { fileURLToPath } from 'node:url';
import { NotFound, ServiceError } from '../common/service-error.js';
import { textFilesIn } from '../storage/text-files.js';

/** The folder of the built pages; the same from the sources and from the compiled files. */
const builtPages = fileURLToPath(new URL('../../dist/web', import.meta.url));

/**
 * Allows this service's own scripts, styles, pictures and answers; nothing inline, nothing sent elsewhere. Frames show
 * only files that a page itself has fetched, such as the preview of a report.
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
  // Workers are the scripts whose addresses a page builds: the chat page's, and the one that checks reports.
  'trusted-types chat-worker verify-worker',
].join('; ');

/** Names of built assets, such as `chat-BNpTlMnu.js`. */
const ASSET = /^[A-Za-z0-9_-]{1,100}\.(js|css|svg)$/;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const encodings: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' };

/**
 * Sends a built page of `web/`. Each `{{name}}` becomes its value, as text. A part from `{{#name}}` to `{{/name}}` is left
 * out if the value is empty, a part from `{{^name}}` to `{{/name}}` if it is not.
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

/** Sends a script, style or picture of the pages. Browsers may cache it for ever: its name changes with its content. */
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

/** Sends a built file whose name stays the same when its content changes. */
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

/** Reads the page at each request, because a build may have replaced it and the names of its scripts. */
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
