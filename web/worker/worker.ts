/**
 * Opens the chat page offline. It caches the page's own files, whose names change with their content, and one page without
 * any data; never a chat's page as served, and never an answer of the API. The build inserts the list of files, so each
 * build is another worker, whose files replace those of all builds but the one before.
 */
declare const self: ServiceWorkerGlobalScope;
/** Paths of the page's scripts, styles and pictures. */
declare const FILES: readonly string[];
/** The file that every page of this build loads first. */
declare const MAIN: string;
/** The version of all files together. */
declare const VERSION: string;

const CACHES = 'chat-page-';
const CACHE = CACHES + VERSION;
/** The chat page without a chat. It reads the chat from the device. */
const EMPTY_PAGE = '/chat/offline.html';
const ASSETS = '/web/assets/';
const CHAT = /^\/chat\/[A-Za-z0-9_-]+\/?$/;
/** Without an answer for this long, the network counts as down. */
const PATIENCE_MS = 6_000;

self.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([leaveOlder(), self.registration.navigationPreload?.enable()]));
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (mode === 'navigate' && CHAT.test(pathname)) event.respondWith(opened(event));
  else if (pathname.startsWith(ASSETS)) event.respondWith(fileOf(event.request));
});

/** Caches all files or none. Fails if another replica serves a different build. */
async function fill(): Promise<void> {
  const page = await fetch(EMPTY_PAGE, { cache: 'no-store' });
  if (!page.ok || !(await page.clone().text()).includes(MAIN))
    throw new Error('The page belongs to another build.');
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.put(EMPTY_PAGE, page);
}

/** Deletes the files of older builds except the last: its pages may still be open, and load scripts late. */
async function leaveOlder(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)));
}

/** Returns the service's answer, including a refusal. If the service is down or failing, returns the cached page. */
async function opened(event: FetchEvent): Promise<Response> {
  const answer = await Promise.race([fetched(event), silence()]);
  if (answer && answer.status < 500) return answer;
  return (await cached(EMPTY_PAGE)) ?? answer ?? Response.error();
}

async function fetched({ preloadResponse, request }: FetchEvent): Promise<Response | undefined> {
  try {
    return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  } catch {
    return undefined;
  }
}

const silence = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));

const fileOf = async (request: Request): Promise<Response> =>
  (await caches.match(new URL(request.url).pathname)) ?? fetch(request);

const cached = async (path: string): Promise<Response | undefined> => (await caches.open(CACHE)).match(path);

// Makes this file a module, in which `self` can be declared.
export {};
