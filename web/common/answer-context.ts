import { createContext } from 'react';

/** Settings for the parts of an answer: the origin of the service's links, and whether more text is still to come. */
export const AnswerContext = createContext({ origin: '', growing: false });
