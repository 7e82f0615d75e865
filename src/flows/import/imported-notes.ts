import { type FlowNote, LONGEST_NOTE, MOST_NOTES } from '../../api/flow-definition.js';
import type { AgentflowExport, ExportedNode } from './agentflow-export.js';
import type { ImportDraft } from './import-draft.js';
import { wordOf } from './texts/imported-texts.js';

const STICKY_NOTE = 'stickyNoteAgentflow';

export const isNote = ({ data, type }: ExportedNode): boolean =>
  data.name === STICKY_NOTE || type === 'stickyNote';

/** Returns the notes of an export that have a text, and warns of those that a flow cannot have as they are. */
export function importedNotes({ nodes }: AgentflowExport, draft: ImportDraft): FlowNote[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const notes = [...nodes.entries()].flatMap(([origin, node]): FlowNote[] => {
    const text = isNote(node) ? wordOf(node.data.inputs?.['note']) : undefined;
    if (text === undefined) return [];
    if (text.length > LONGEST_NOTE)
      draft.warn({ origin }, 'not_carried_over', `its text was cut to ${LONGEST_NOTE} characters`);
    const place = node.position ?? { x: 0, y: 0 };
    const around = byId.get(node.parentNode ?? '')?.position ?? { x: 0, y: 0 };
    return [
      {
        text: text.slice(0, LONGEST_NOTE).toWellFormed(),
        position: { x: around.x + place.x, y: around.y + place.y },
      },
    ];
  });
  const left = notes.length - MOST_NOTES;
  if (left > 0)
    draft.warnings.add({
      code: 'not_carried_over',
      message: `${left} notes were left out: a flow has at most ${MOST_NOTES}.`,
    });
  return notes.slice(0, MOST_NOTES);
}
