import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LineIcon } from '../../common/line-icon.js';
import { get } from '../api/client.js';

const drawn = (path: string) => <LineIcon path={path} size={18} />;

/** Icons by the icon name of a kind of node. */
const icons: Readonly<Record<string, ReactNode>> = {
  play: drawn('M8 5.5v13l10.5-6.5z'),
  sparkle: drawn('M12 4l1.9 5.1L19 11l-5.1 1.9L12 18l-1.9-5.1L5 11l5.1-1.9zM18.5 16v4M16.5 18h4'),
  robot: drawn(
    'M7 9h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2zM12 9V5M9.5 13.5h.01M14.5 13.5h.01',
  ),
  wrench: drawn('M14.5 6.5a4 4 0 0 0-5 5L4.5 16.5 7.5 19.5l5-5a4 4 0 0 0 5-5l-2.5 2.5-2.5-2.5z'),
  cylinder: drawn(
    'M5 7c0-1.5 3-2.5 7-2.5s7 1 7 2.5-3 2.5-7 2.5S5 8.5 5 7zM5 7v10c0 1.5 3 2.5 7 2.5s7-1 7-2.5V7M5 12c0 1.5 3 2.5 7 2.5s7-1 7-2.5',
  ),
  branches: drawn('M5 12h4l6-5.5h4M9 12l6 5.5h4M17 4.5l2.5 2L17 8.5M17 15.5l2.5 2-2.5 2'),
  frames: drawn('M8 5.5h11v11M5 8.5h11v11H5z'),
  cycle: drawn('M17 4l3 3-3 3M20 7H9a5 5 0 0 0-5 5M7 20l-3-3 3-3M4 17h11a5 5 0 0 0 5-5'),
  person: drawn('M15.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM5 19.5c.8-3.3 3.5-5 7-5s6.2 1.7 7 5'),
  globe: drawn(
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17',
  ),
  braces: drawn(
    'M8.5 5C6 5 6.5 8 6.5 9.5S5.5 12 4.5 12c1 0 2 1 2 2.5S6 19 8.5 19M15.5 5c2.5 0 2 3 2 4.5s1 2.5 2 2.5c-1 0-2 1-2 2.5s.5 4.5-2 4.5',
  ),
  linked: drawn(
    'M9 6a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM9 6h6.5a2.5 2.5 0 0 1 2.5 2.5V15',
  ),
  speech: drawn(
    'M4.5 6.5A1.5 1.5 0 0 1 6 5h12a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 18 16h-7l-4.5 3.5V16H6a1.5 1.5 0 0 1-1.5-1.5z',
  ),
  checklist: drawn('M5 6.5h14M5 12h8M5 17.5h5M15 17l2 2 3.5-4'),
  form: drawn('M5 6.5h14M5 11h14M5 15.5h6M14 19l5.5-5.5'),
  camera: drawn(
    'M4 9a1.5 1.5 0 0 1 1.5-1.5H8l1.5-2h5l1.5 2h2.5A1.5 1.5 0 0 1 20 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM15 13a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  ),
  pencil: drawn('M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4'),
  page: drawn(
    'M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5M9 13h6M9 16.5h4',
  ),
  crossed: drawn('M5 5h14v14H5zM9 9l6 6M15 9l-6 6'),
};

const plainIcon = drawn('M7 7h10v10H7z');

/** The part of `GET flows/schema` that lists the kinds of nodes. */
interface KindsOfSchema {
  properties: {
    nodes: {
      items: {
        anyOf: readonly {
          properties: { kind: { const: string; title: string; icon: string; description?: string } };
        }[];
      };
    };
  };
}

export interface KindOfNode {
  name: string;
  icon: ReactNode;
  /** A sentence about it. */
  about: string;
}

const kindsIn = ({ properties }: KindsOfSchema): ReadonlyMap<string, KindOfNode> =>
  new Map(
    properties.nodes.items.anyOf.map(({ properties: { kind } }) => [
      kind.const,
      {
        name: kind.title,
        about: kind.description ?? '',
        icon: (Object.hasOwn(icons, kind.icon) ? icons[kind.icon] : undefined) ?? plainIcon,
      },
    ]),
  );

const none: ReadonlyMap<string, KindOfNode> = new Map();

/** Returns all kinds of nodes, in the order of the service; none until they are loaded. */
export function useKinds(): ReadonlyMap<string, KindOfNode> {
  const { data } = useQuery({
    queryKey: ['flow-schema'],
    queryFn: ({ signal }) => get<KindsOfSchema>('flows/schema', { signal }),
    staleTime: Infinity,
    select: kindsIn,
  });
  return data ?? none;
}

/** Returns the name and icon of a kind of node. An unknown kind has its own name. */
export const useKind = (kind: string): KindOfNode =>
  useKinds().get(kind) ?? { name: kind, icon: plainIcon, about: '' };
