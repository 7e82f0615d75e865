import { useState } from 'react';
import { BrowserStorage } from '../../../common/browser-storage.js';

const storage = new BrowserStorage(() => localStorage, 'console:');

/** Returns the name under which this browser saves drafts; none until a person has entered one. */
export const authorName = (): string => storage.get<string>('author') ?? '';

/** Returns the member that records the author. */
export const authorMember = (): { author?: string } => {
  const author = authorName();
  return author === '' ? {} : { author };
};

/** Holds the name of the author, which this browser remembers. */
export function useAuthor(): [name: string, setName: (name: string) => void] {
  const [name, setName] = useState(authorName);
  return [
    name,
    (next) => {
      setName(next);
      storage.set('author', next.trim() || undefined);
    },
  ];
}
