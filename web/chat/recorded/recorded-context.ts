import { createContext } from 'react';
import type { Prints } from './prints.js';
import type { RecordedPhotographs } from './recorded-photographs.js';

/** The recorded photographs of the chat, and their pictures at the service. */
export const RecordedContext = createContext<{ recorded: RecordedPhotographs; prints: Prints } | undefined>(
  undefined,
);
