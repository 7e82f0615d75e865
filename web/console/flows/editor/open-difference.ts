import { json } from '@codemirror/lang-json';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { editorLook } from './editor-look.js';

const look = EditorView.theme({
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--accent-soft)' },
  '.cm-changedText': { background: 'none', textDecoration: 'underline 2px var(--accent-text)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--danger-soft)', paddingLeft: '6px' },
  '.cm-deletedChunk .cm-deletedText': { background: 'none', textDecoration: 'underline 2px var(--danger)' },
  '.cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '.cm-collapsedLines': {
    padding: '4px 12px',
    background: 'var(--sunken)',
    color: 'var(--muted)',
    fontFamily: 'var(--sans)',
    '&::before, &::after': { content: '""' },
  },
});

/** Lines around a change that stay visible. */
const MARGIN = 3;

/** Shows the later text with what it has changed in the earlier one. Returns the function that closes it. */
export function openDifference(place: HTMLElement, label: string, before: string, after: string): () => void {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    doc: after,
    extensions: [
      lineNumbers(),
      json(),
      editorLook,
      look,
      EditorState.readOnly.of(true),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
      ...(before === after
        ? []
        : [
            unifiedMergeView({
              original: before,
              mergeControls: false,
              gutter: true,
              collapseUnchanged: { margin: MARGIN, minSize: 2 * MARGIN },
            }),
          ]),
    ],
  });
  return () => view.destroy();
}
