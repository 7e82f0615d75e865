import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import '../../parts/actions/tabs.css';
import { narrowScreen } from '../prepare-flow.js';

export type Face = 'picture' | 'node' | 'flow' | 'definition' | 'try' | 'settings';

/** Returns whether the screen is too narrow for two panes side by side. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrowScreen?.addEventListener('change', listener);
      return () => narrowScreen?.removeEventListener('change', listener);
    },
    () => narrowScreen?.matches ?? false,
  );

/** The tabs of a flow. One that was shown stays mounted, so that it keeps its place. */
export function WorkbenchTabs({
  face,
  onFace,
  faces,
}: {
  face: Face;
  onFace: (face: Face) => void;
  faces: readonly { id: Face; name: string; content: ReactNode }[];
}) {
  const [visited, setVisited] = useState<ReadonlySet<Face>>(new Set([face]));
  if (!visited.has(face)) setVisited(new Set([...visited, face]));
  return (
    <Tabs className="work-tabs" selectedKey={face} onSelectionChange={(key) => onFace(key as Face)}>
      <TabList aria-label="The flow" className="tabs">
        {faces.map(({ id, name }) => (
          <Tab key={id} id={id} className="tab">
            {name}
          </Tab>
        ))}
      </TabList>
      {faces.map(({ id, content }) => (
        <TabPanel key={id} id={id} shouldForceMount className="work-panel">
          {(id === face || visited.has(id)) && content}
        </TabPanel>
      ))}
    </Tabs>
  );
}
