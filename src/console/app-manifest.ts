import { brandOf } from '../flows/definition/chat-brand.js';
import type { Flow } from '../flows/definition/flow.js';

const ACCENT = '#0f5a60';
const GROUND = '#f3f6f6';
/** Characters that fit below an icon. */
const SHORT_NAME = 12;

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/chat/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** Returns the Web App Manifest of a flow's chat page: each chat is an app with its own name and colour. */
export function appManifest({ id, name, definition }: Pick<Flow, 'id' | 'name' | 'definition'>) {
  const address = `/chat/${encodeURIComponent(id)}`;
  return {
    id: address,
    name,
    short_name: shortened(name),
    start_url: address,
    scope: address,
    display: 'standalone',
    background_color: GROUND,
    theme_color: brandOf(definition.chat).colour ?? ACCENT,
    icons: [
      icon('icon-192', 192, 'any'),
      icon('icon-512', 512, 'any'),
      icon('icon-maskable', 512, 'maskable'),
    ],
  };
}

/** Returns as many whole words as fit; a long first word is cut. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= SHORT_NAME) return name;
  const end = characters.slice(0, SHORT_NAME + 1).lastIndexOf(' ');
  return characters.slice(0, end > 0 ? end : SHORT_NAME).join('');
}
