import type { Served } from './served.js';

const WORKER = '/chat/worker.js';

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

/** Returns whether the page can be opened offline: only over HTTPS and on localhost. */
export const opensOffline = (): boolean => isSecureContext && 'serviceWorker' in navigator;

/** Makes the page installable and lets it open offline. */
export function installPage({ id }: Served): void {
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = `/chat/${encodeURIComponent(id)}/app.webmanifest`;
  document.head.append(manifest);
  if (!opensOffline()) return;
  const options = { scope: '/chat/', updateViaCache: 'none' } as const;
  // Browsers that store nothing refuse. The page works without it.
  navigator.serviceWorker.register(trusted(WORKER), options).catch(() => undefined);
}

/** Returns the worker's URL as the page's Trusted Types policy requires. */
function trusted(path: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('chat-worker', { createScriptURL: () => path });
  return policy?.createScriptURL(path) ?? path;
}
