import { type ReactNode, useSyncExternalStore } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import '../../parts/actions/tabs.css';

export type Face = 'definition' | 'picture' | 'try';

const narrow = globalThis.matchMedia?.('(width <= 760px)');

/** Returns whether the screen is too narrow for two panes side by side. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow?.addEventListener('change', listener);
      return () => narrow?.removeEventListener('change', listener);
    },
    () => narrow?.matches ?? false,
  );

/** The tabs of a flow. All stay mounted, so that the editor keeps its history. */
export function WorkbenchTabs({
  face,
  onFace,
  faces,
}: {
  face: Face;
  onFace: (face: Face) => void;
  faces: readonly { id: Face; name: string; content: ReactNode }[];
}) {
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
          {content}
        </TabPanel>
      ))}
    </Tabs>
  );
}
