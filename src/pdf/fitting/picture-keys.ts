import { type Logos, splitLogo } from '../logos/logos.js';
import type { Contents, SourceDetails } from '../templates/template.js';

/** The keys of a report's pictures in the store, by those under which the report names them. */
export async function pictureKeys(
  { reports }: Contents<SourceDetails>,
  logos: Pick<Logos, 'find'>,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { photographs, meta } of reports) {
    for (const { rendition } of photographs) if (rendition !== null) keys.set(rendition, rendition);
    const { logo } = splitLogo(meta);
    const file = logo === undefined ? undefined : await logos.find(logo);
    if (logo !== undefined && file) keys.set(logo, file.key);
  }
  return keys;
}
