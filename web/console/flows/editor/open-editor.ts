import { autocompletion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { indentUnit } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, type Extension, Transaction } from '@codemirror/state';
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import type { Change } from '../document/change.js';
import type { FlowDocument } from '../document/flow-document.js';
import { definitionCompletion, type Knowledge } from './completion.js';
import { editorLook } from './editor-look.js';
import type { PlacedFault } from './read-definition.js';

export interface EditorOptions {
  label: string;
  document: FlowDocument;
  onSave: () => void;
  knowledge: () => Knowledge;
}

/** An open editor. */
export interface Editor {
  /** Underlines faults and warnings. */
  mark(faults: readonly PlacedFault[]): void;
  /** Scrolls to a position and puts the cursor there. */
  jumpTo(from: number): void;
  focus(): void;
  close(): void;
}

/**
 * Opens an editor in its own shadow root, where CodeMirror uses `adoptedStyleSheets` instead of style elements, which the
 * page's policy forbids. Tab leaves the editor.
 */
export function openEditor(place: HTMLElement, options: EditorOptions): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const { document } = options;
  const view = new EditorView({ root, parent: root, doc: document.text, extensions: extensionsFor(options) });
  const leave = document.subscribe(({ changes, by }) => {
    if (by === OWN) return;
    const at = changes.at(-1);
    view.dispatch({ changes: [...changes], annotations: shown.of(true) });
    if (at && view.hasFocus)
      view.dispatch({ effects: EditorView.scrollIntoView(Math.min(at.from, view.state.doc.length)) });
  });
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
    focus: () => view.focus(),
    close() {
      leave();
      view.destroy();
    },
  };
}

/** The name of this editor in the document's edits. */
const OWN = 'text';

/** Marks an edit that the document has already. */
const shown = Annotation.define<boolean>();

/** Passes on what is typed. Letters in a row are one step of the history. */
function typingInto(document: FlowDocument): (update: ViewUpdate) => void {
  let [word, end] = [0, -1];
  return ({ docChanged, changes, transactions }) => {
    if (!docChanged || transactions.some((one) => one.annotation(shown))) return;
    const edits: Change[] = [];
    let at = -1;
    changes.iterChanges((from, to, _, newTo, inserted) => {
      edits.push({ from, to, insert: inserted.toString() });
      at = newTo;
    });
    const [only] = edits;
    const isTyped =
      edits.length === 1 &&
      transactions.some((one) => one.isUserEvent('input.type') || one.isUserEvent('delete'));
    const continuesWord =
      only !== undefined && (only.from === end || only.to === end) && !only.insert.includes('\n');
    if (!isTyped || !continuesWord) word++;
    end = isTyped ? at : -1;
    document.edit(edits, { by: OWN, ...(isTyped && { group: `typed-${word}` }) });
  };
}

/** Undoes with the document's history instead of the editor's own. */
const sharedHistory = (document: FlowDocument): Extension => {
  const run = (turn: () => void) => () => {
    turn();
    return true;
  };
  const [undo, redo] = [run(() => document.undo()), run(() => document.redo())];
  return [
    keymap.of([
      { key: 'Mod-z', run: undo, shift: redo, preventDefault: true },
      { key: 'Mod-y', run: redo, preventDefault: true },
      { key: 'Mod-u', run: undo, preventDefault: true },
      { key: 'Alt-u', run: redo, preventDefault: true },
    ]),
    EditorView.domEventHandlers({
      beforeinput({ inputType }) {
        if (inputType === 'historyUndo') return undo();
        return inputType === 'historyRedo' && redo();
      },
    }),
    EditorState.transactionExtender.of(() => ({ annotations: Transaction.addToHistory.of(false) })),
  ];
};

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

function extensionsFor({ label, document, onSave, knowledge }: EditorOptions): Extension {
  const save = () => {
    onSave();
    return true;
  };
  return [
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }]),
    sharedHistory(document),
    basicSetup,
    editorLook,
    typingOverSelection,
    json(),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      spellcheck: 'false',
    }),
    autocompletion({ override: [definitionCompletion(knowledge)], icons: false }),
    EditorView.updateListener.of(typingInto(document)),
  ];
}
