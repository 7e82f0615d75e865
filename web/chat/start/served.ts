import { BrowserStorage } from '../../common/browser-storage.js';
import type { Brand } from './brand.js';

/** The data that the service embeds in the page. */
export interface Served {
  id: string;
  name: string;
  /** The flow needs a key. */
  keyed: boolean;
  /** The flow records an inspection. */
  inspects: boolean;
  /** The origin in the links that the service writes. */
  origin: string;
  brand: Brand;
  /** The flow's public configuration, as chat clients receive it. */
  config: unknown;
}

/** Returns the data in the page or, offline, that of the last visit. Undefined when the chat was never opened here. */
export function servedChat(): Served | undefined {
  const written = document.querySelector<HTMLMetaElement>('meta[name=chat]')?.content ?? '';
  const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  const storage = new BrowserStorage(() => localStorage, `chat:${id}:`);
  if (written === '') return storage.get<Served>('served');
  const served = JSON.parse(written) as Served;
  storage.set('served', served);
  return served;
}
