import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { post } from '../../api/client.js';
import { warnBeforeUnload } from '../../api/warn-before-unload.js';
import { documentsOf } from '../use-stores.js';

/** A file or an address that the service refused. */
export interface Refused {
  name: string;
  error: unknown;
}

export interface Adding {
  /** The current upload, and the number waiting behind it. */
  sending: { name: string; waiting: number } | undefined;
  refused: readonly Refused[];
  /** Resolves once all were accepted or refused. Returns whether all were accepted. */
  add: (documents: readonly (File | string)[]) => Promise<boolean>;
  forget: () => void;
}

/** Batches that are not accepted or refused yet, on any page of this tab. */
let batches = 0;
warnBeforeUnload(() => batches > 0);

/** Uploads files and addresses to a store one at a time. A refused one does not stop the others. */
export function useAdding(storeId: string): Adding {
  const client = useQueryClient();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [sending, setSending] = useState<Adding['sending']>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const addOne = async (document: File | string, waiting: number): Promise<boolean> => {
    const name = typeof document === 'string' ? document : document.name;
    setSending({ name, waiting });
    try {
      await post(documentsOf(storeId), bodyOf(document));
      return true;
    } catch (error) {
      setRefused((before) => [...before, { name, error }]);
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: [documentsOf(storeId)] });
    }
  };
  const addAll = async (documents: readonly (File | string)[]): Promise<boolean> => {
    let all = true;
    for (const [index, document] of documents.entries())
      all = (await addOne(document, documents.length - index - 1)) && all;
    setSending(undefined);
    await client.invalidateQueries({ queryKey: ['document-stores'] });
    return all;
  };
  const add: Adding['add'] = (documents) => {
    batches++;
    const added = last.current.then(() => addAll(documents)).finally(() => batches--);
    last.current = added;
    return added;
  };
  return { sending, refused, add, forget: () => setRefused([]) };
}

function bodyOf(document: File | string): FormData | { url: string } {
  if (typeof document === 'string') return { url: document };
  const form = new FormData();
  form.append('files', document, document.name);
  return form;
}
