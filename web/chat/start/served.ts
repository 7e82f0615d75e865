import { Kept } from '../../common/kept.js';
import type { Brand } from './brand.js';

/** The data that the service wrote into the page. */
export interface Served {
  id: string;
  name: string;
  /** The flow asks for a key. */
  keyed: boolean;
  /** The flow records an inspection. */
  inspects: boolean;
  /** Under which the service writes its links. */
  origin: string;
  brand: Brand;
  /** The part of the flow that chat clients may know, as they are answered it. */
  config: unknown;
}

/**
 * The chat of this page: as the service wrote it, or, on a page that was opened without a connection and has nothing in
 * it, as it was at the last visit. Undefined where there was none.
 */
export function servedChat(): Served | undefined {
  const written = document.querySelector<HTMLMetaElement>('meta[name=chat]')?.content ?? '';
  const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  const kept = new Kept(() => localStorage, `chat:${id}:`);
  if (written === '') return kept.get<Served>('served');
  const served = JSON.parse(written) as Served;
  kept.set('served', served);
  return served;
}
