import { createContext } from 'react';

/** What the parts of an answer need to know: where the service's links lead, and whether the text is still coming. */
export const AnswerContext = createContext({ origin: '', growing: false });
