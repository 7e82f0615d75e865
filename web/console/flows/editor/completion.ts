import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippet,
  startCompletion,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { type Cursor, cursorAt } from './cursor.js';
import type { Schema } from './json-schema.js';
import { type LooseNode, readLoosely } from './loose-json.js';
import { type Known, templateNames } from './named-values.js';
import type { Suggestion } from './suggestion.js';
import { suggestionsFor } from './suggestions.js';

/** The sources of completion, read on each request. */
export interface Knowledge {
  schema: Schema | undefined;
  known: Known;
}

/** Completes names, values and template references while typing, and anywhere on Ctrl+Space. */
export const definitionCompletion =
  (knowledge: () => Knowledge): CompletionSource =>
  (context) => {
    const { schema, known } = knowledge();
    const text = context.state.doc.toString();
    const root = readLoosely(text);
    const cursor = cursorAt(root, context.pos);
    if (!schema || !cursor) return null;
    const reference = referenceAt(context, cursor, root);
    if (reference) return reference;
    const inWord = context.pos > cursor.from;
    if (!inWord && !context.explicit) return null;
    const suggestions = suggestionsFor(cursor, schema, root, known);
    if (suggestions.length === 0) return null;
    const ending: Ending = {
      what: cursor.what,
      behind: Math.max(0, cursor.to - context.pos),
      needsComma: cursor.what === 'name' && /^\s*["{[]/.test(text.slice(cursor.to)),
    };
    return {
      from: cursor.from,
      options: suggestions.map((suggestion) => optionOf(suggestion, ending)),
      validFor: /^"?[^"\s,:{}[\]]*$/,
    };
  };

interface Ending {
  what: Cursor['what'];
  /** Characters of the replaced range after the cursor, which do not count as typed. */
  behind: number;
  /** Another member follows, so a comma is needed. */
  needsComma: boolean;
}

function optionOf(
  { label, insert, detail, info, first, reopens }: Suggestion,
  { what, behind, needsComma }: Ending,
): Completion {
  // A placeholder at the end puts the cursor after the inserted text.
  const written = insert + (needsComma && insert.includes(':') ? ',' : '');
  const apply = snippet(insert.includes('${}') ? written : `${written}\${}`);
  return {
    label,
    displayLabel: label.startsWith('"') ? (JSON.parse(label) as string) : label,
    type: what === 'name' ? 'property' : 'enum',
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined ? {} : { info }),
    ...(first ? { boost: 10 } : {}),
    apply: (view: EditorView, completion: Completion, from: number, to: number) => {
      apply(view, completion, from, to + behind);
      if (reopens) setTimeout(() => startCompletion(view));
    },
  };
}

/** Completes a template reference inside a string, after `{{`. */
function referenceAt(
  { state, pos }: CompletionContext,
  cursor: Cursor,
  root: LooseNode | undefined,
): CompletionResult | null {
  if (cursor.what !== 'value' || !cursor.node?.quoted) return null;
  const typed = /\{\{\s*([\w.$-]*)$/.exec(state.sliceDoc(Math.max(cursor.from, pos - 200), pos));
  if (!typed) return null;
  const closed = /^[\w.$-]*\s*\}\}/.test(state.sliceDoc(pos, pos + 200));
  return {
    from: pos - typed[1]!.length,
    options: templateNames(root).map(({ name, info }) => ({
      label: name,
      info,
      type: 'variable',
      apply: closed ? name : `${name}}}`,
    })),
    validFor: /^[\w.$-]*$/,
  };
}
