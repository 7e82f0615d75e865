import { createContext } from 'react';

/** Context of an answer's parts: the origin of the service's links, and whether the answer is still growing. */
export const AnswerContext = createContext({ origin: '', growing: false });
