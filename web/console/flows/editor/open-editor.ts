import { autocompletion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { indentUnit } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { definitionCompletion, type Knowledge } from './completion.js';
import { editorLook } from './editor-look.js';
import type { PlacedFault } from './read-definition.js';

export interface EditorOptions {
  label: string;
  text: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
  knowledge: () => Knowledge;
}

/** An open editor. */
export interface Editor {
  /** Underlines faults and warnings. */
  mark(faults: readonly PlacedFault[]): void;
  /** Scrolls to a position and puts the cursor there. */
  jumpTo(from: number): void;
  /** Replaces the text; this can be undone. */
  replace(text: string): void;
  focus(): void;
  close(): void;
}

/**
 * Opens an editor in its own shadow root, where CodeMirror uses `adoptedStyleSheets` instead of style elements, which the
 * page's policy forbids. Tab leaves the editor.
 */
export function openEditor(place: HTMLElement, options: EditorOptions): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const view = new EditorView({ root, parent: root, doc: options.text, extensions: extensionsFor(options) });
  return {
    mark(faults) {
      const end = view.state.doc.length;
      const diagnostics = faults.map(({ from, to, message, isWarning }) => ({
        from: Math.min(from, end),
        to: Math.min(Math.max(from, to), end),
        severity: isWarning ? ('warning' as const) : ('error' as const),
        message,
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    jumpTo(from) {
      const anchor = Math.min(from, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    replace(text) {
      const { doc } = view.state;
      if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/**
 * Replaces a selection by script. A browser that does it natively adds style attributes, which violate the page's policy.
 */
const typingOverSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    if (inputType !== 'insertText' || data === null || isComposing || empty || state.readOnly) return false;
    const replaced = () =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, replaced))) view.dispatch(replaced());
    // The edit is done, so cancel the event.
    return true;
  },
});

function extensionsFor({ label, readOnly, onChange, onSave, knowledge }: EditorOptions): Extension {
  const save = () => {
    onSave();
    return true;
  };
  return [
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }]),
    basicSetup,
    editorLook,
    typingOverSelection,
    json(),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      spellcheck: 'false',
      'aria-readonly': String(readOnly),
    }),
    autocompletion({ override: [definitionCompletion(knowledge)], icons: false }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.doc.toString());
    }),
  ];
}
