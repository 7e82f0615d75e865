/**
 * Opens the chat page without a connection. It keeps the page's own files, whose names change with their content, and one
 * page without any data in it; never a chat's page as it was served, and never an answer of the API. The build writes in
 * which files these are: another build is another worker, whose files replace the older ones.
 */
declare const self: ServiceWorkerGlobalScope;
/** Paths of the page's scripts, styles and pictures. */
declare const FILES: readonly string[];
/** The one of them that every page of this build loads first. */
declare const MAIN: string;
/** Of all of them. */
declare const VERSION: string;

const CACHES = 'chat-page-';
const CACHE = CACHES + VERSION;
/** The chat page without a chat: it finds on the device which one it shows. */
const EMPTY_PAGE = '/chat/offline.html';
const CHAT = /^\/chat\/[A-Za-z0-9_-]+\/?$/;
/** A network that says nothing for so long is as good as none. */
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
  else if (FILES.includes(pathname)) event.respondWith(fileOf(event.request));
});

/** All files or none; of several processes behind one address, all must be of this build. */
async function fill(): Promise<void> {
  const page = await fetch(EMPTY_PAGE, { cache: 'no-store' });
  if (!page.ok || !(await page.clone().text()).includes(MAIN))
    throw new Error('The page is of another build.');
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.put(EMPTY_PAGE, page);
}

async function leaveOlder(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

/** The service's answer, be it a refusal; without a service, or one that cannot answer now, the page on this device. */
async function opened(event: FetchEvent): Promise<Response> {
  const answer = await Promise.race([asked(event), silence()]);
  if (answer && answer.status < 500) return answer;
  return (await kept(EMPTY_PAGE)) ?? answer ?? Response.error();
}

async function asked({ preloadResponse, request }: FetchEvent): Promise<Response | undefined> {
  try {
    return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  } catch {
    return undefined;
  }
}

const silence = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));

const fileOf = async (request: Request): Promise<Response> =>
  (await kept(new URL(request.url).pathname)) ?? fetch(request);

const kept = async (path: string): Promise<Response | undefined> => (await caches.open(CACHE)).match(path);

// A module, in which `self` can be declared for what it is.
export {};
