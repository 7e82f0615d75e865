import type { Served } from './served.js';

const WORKER = '/chat/worker.js';

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

/** Whether a browser opens this page without a connection: over https and on this machine alone. */
export const opensOffline = (): boolean => isSecureContext && 'serviceWorker' in navigator;

/** Lets the page be opened without a connection, and be put among the apps of a telephone. */
export function installPage({ id }: Served): void {
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = `/chat/${encodeURIComponent(id)}/app.webmanifest`;
  document.head.append(manifest);
  if (!opensOffline()) return;
  const options = { scope: '/chat/', updateViaCache: 'none' } as const;
  // Refused where the browser keeps nothing: the page goes on as it is.
  navigator.serviceWorker.register(trusted(WORKER), options).catch(() => undefined);
}

/** The page's policy takes the address of a script only from here (Trusted Types). */
function trusted(path: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('chat-worker', { createScriptURL: () => path });
  return policy?.createScriptURL(path) ?? path;
}
