import { Panel, useReactFlow } from '@xyflow/react';
import { memo, useState, useSyncExternalStore } from 'react';
import { MenuTrigger } from 'react-aria-components';
import { ViewButtons } from '../../graph/view-buttons.js';
import { Button } from '../../parts/actions/button.js';
import { Menu, MenuItem } from '../../parts/actions/menu.js';
import { MoreIcon, PlusIcon, RedoIcon, SearchIcon, UndoIcon } from '../../parts/icons.js';
import type { FlowDocument } from '../document/flow-document.js';
import { type Members, nodeOf } from '../operations/definition.js';
import { type Side, SIDES } from './aligning.js';
import type { CanvasModel } from './canvas-model.js';
import type { OpenTool } from './canvas-props.js';
import { ConnectDialog } from './connect-dialog.js';
import { FindPane } from './find-pane.js';
import { KeysDialog } from './keys-dialog.js';
import { Palette } from './palette.js';
import type { Commands } from './use-commands.js';

interface ToolsProps {
  tool: OpenTool | undefined;
  setTool: (tool: OpenTool | undefined) => void;
  isEditable: boolean;
  /** Undo works also while the text is not valid. */
  hasHistory: boolean;
  document: FlowDocument;
  definition: Members;
  model: CanvasModel;
  selection: ReadonlySet<string>;
  commands: Commands;
  onShow: (id: string) => void;
}

/** The buttons of the canvas, and the pane that one of them opens. */
export const CanvasTools = memo(function CanvasTools(props: ToolsProps) {
  const { tool, setTool, isEditable, hasHistory, document, definition, model, selection, commands, onShow } =
    props;
  const { fitView } = useReactFlow();
  const canUndo = useSyncExternalStore(document.subscribe, () => document.canUndo);
  const canRedo = useSyncExternalStore(document.subscribe, () => document.canRedo);
  const close = () => setTool(undefined);
  const chosen = model.nodes.filter(({ id }) => selection.has(id));
  const only = chosen.length === 1 ? nodeOf(definition, chosen[0]!.id) : undefined;
  return (
    <>
      <Panel position="top-left" className="canvas-tools">
        <div className="graph-buttons" role="toolbar" aria-label="Canvas">
          {isEditable && (
            <Button small icon={<PlusIcon />} onPress={() => setTool({ name: 'add' })}>
              Add node
            </Button>
          )}
          {hasHistory && (
            <>
              <Button
                small
                label="Undo"
                icon={<UndoIcon />}
                isDisabled={!canUndo}
                onPress={() => document.undo()}
              />
              <Button
                small
                label="Redo"
                icon={<RedoIcon />}
                isDisabled={!canRedo}
                onPress={() => document.redo()}
              />
            </>
          )}
          <Button
            small
            label="Find in the flow"
            icon={<SearchIcon />}
            onPress={() => setTool({ name: 'find' })}
          />
          {isEditable && <MoreTools {...props} chosen={chosen.length} />}
        </div>
        {tool?.name === 'add' && (
          <Palette
            title={tool.from ? 'Add the next node' : 'Add a node'}
            hasStart={model.nodes.some(({ kind }) => kind === 'start')}
            onClose={close}
            onChoose={(kind) => {
              commands.add(kind, { at: tool.at, from: tool.from });
              close();
            }}
          />
        )}
        {tool?.name === 'find' && <FindPane definition={definition} onShow={onShow} onClose={close} />}
      </Panel>
      {tool?.name === 'connect' && only && (
        <ConnectDialog definition={definition} from={only} onConnect={commands.connect} onClose={close} />
      )}
      <Panel position="bottom-right">
        <ViewButtons onFit={() => void fitView({ padding: 0.1, maxZoom: 1 })} />
      </Panel>
    </>
  );
});

function MoreTools({ setTool, selection, commands, chosen }: ToolsProps & { chosen: number }) {
  const [isHelping, setHelping] = useState(false);
  const copy = () => {
    const text = commands.copy();
    // Without a secure context there is no clipboard; this tab remembers the nodes itself.
    if (text !== undefined) void globalThis.navigator.clipboard?.writeText(text).catch(() => undefined);
  };
  const run: Record<string, () => void> = {
    connect: () => setTool({ name: 'connect' }),
    duplicate: commands.duplicate,
    copy,
    paste: () => commands.paste(),
    delete: () => commands.remove([...selection]),
    arrange: commands.arrange,
    note: commands.note,
    keys: () => setHelping(true),
  };
  const disabled = [
    ...(chosen === 1 ? [] : ['connect']),
    ...(chosen > 0 ? [] : ['duplicate', 'copy']),
    ...(selection.size > 0 ? [] : ['delete']),
    ...(chosen > 1 ? [] : Object.keys(SIDES)),
  ];
  return (
    <>
      <MenuTrigger>
        <Button small label="More on the canvas" icon={<MoreIcon />} />
        <Menu
          label="More on the canvas"
          disabledKeys={disabled}
          onAction={(key) => {
            if (Object.hasOwn(SIDES, key)) commands.align(key as Side);
            else run[key]?.();
          }}
        >
          <MenuItem id="connect">Connect…</MenuItem>
          <MenuItem id="duplicate">Duplicate</MenuItem>
          <MenuItem id="copy">Copy</MenuItem>
          <MenuItem id="paste">Paste</MenuItem>
          <MenuItem id="delete">Delete</MenuItem>
          {Object.entries(SIDES).map(([side, name]) => (
            <MenuItem key={side} id={side}>
              {name}
            </MenuItem>
          ))}
          <MenuItem id="arrange">Arrange automatically</MenuItem>
          <MenuItem id="note">Add a note</MenuItem>
          <MenuItem id="keys">Keyboard shortcuts</MenuItem>
        </Menu>
      </MenuTrigger>
      <KeysDialog isOpen={isHelping} onClose={() => setHelping(false)} />
    </>
  );
}
