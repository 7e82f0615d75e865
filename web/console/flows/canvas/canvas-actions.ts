import { createContext, useContext } from 'react';

/** The operations that parts inside of nodes and edges start. */
export interface CanvasActions {
  isEditable: boolean;
  removeEdge: (index: number) => void;
  writeNote: (index: number, text: string) => void;
}

const nothing = (): void => undefined;

export const CanvasActionsContext = createContext<CanvasActions>({
  isEditable: false,
  removeEdge: nothing,
  writeNote: nothing,
});

export const useCanvasActions = (): CanvasActions => useContext(CanvasActionsContext);
