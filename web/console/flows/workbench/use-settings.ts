import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { put, segment } from '../../api/client.js';
import { toast } from '../../parts/overlay/toast.js';
import { FlowDocument } from '../document/flow-document.js';
import { readDefinition } from '../editor/read-definition.js';
import { definitionIn, textOfSettings } from '../flow-text.js';
import { isMembers, type Members } from '../operations/definition.js';
import { authorMember } from '../versions/author.js';
import { readStored, setStored, type StoredFlow } from '../versions/use-stored-flow.js';
import { isChanged } from './use-saving.js';

/** Holds the settings of a flow while they are edited. Never overwrites settings that the person has not seen. */
export function useSettings({ published, draft }: StoredFlow) {
  const client = useQueryClient();
  /** The flow with the settings that are edited. */
  const [base, setBase] = useState(published);
  const [theirs, showTheirs] = useState<FlowView>();
  const [document] = useState(() => new FlowDocument(textOfSettings(base)));
  const text = useSyncExternalStore(document.subscribe, () => document.text);
  const [baseText, saved] = [useSettingsText(base), useSettingsText(published)];
  const isDirty = text !== baseText;
  /** Saves over this state of the flow, or over a later one with the same settings. */
  const saveOver = async (over: FlowView, settings: Members): Promise<FlowView> => {
    const body = { ...definitionIn(over), ...settings, ...authorMember() };
    const headers = { 'If-Match': `"${over.revision}"` };
    try {
      return await put<FlowView>(`flows/${segment(over.id)}`, body, { headers });
    } catch (error) {
      if (!isChanged(error)) throw error;
      const { published: now } = await readStored(client, over.id);
      if (textOfSettings(now) === textOfSettings(over)) return saveOver(now, settings);
      showTheirs(now);
      throw error;
    }
  };
  const sending = useMutation({
    mutationFn: ({ over, value }: { over: FlowView; text: string; value: Members }) => saveOver(over, value),
    onSuccess: (flow, sent) => {
      setBase(flow);
      if (document.text === sent.text) document.load(textOfSettings(flow));
      showTheirs(undefined);
      setStored(client, flow, draft);
      void client.invalidateQueries({ queryKey: ['flow-versions', flow.id] });
      toast('Settings saved. They are in effect.');
    },
    onError: (error) => {
      if (!isChanged(error)) showTheirs(undefined);
    },
  });
  const { isPending } = sending;
  const send = (over: FlowView) => {
    const read = readDefinition(document.text);
    if ('value' in read && isMembers(read.value))
      sending.mutate({ over, text: document.text, value: read.value });
    else toast('Not saved: the text is not valid JSON.');
  };
  const differs = published.revision !== base.revision && saved !== baseText;
  useEffect(() => {
    // Until a save has ended, the page shows the state before it.
    if (isPending || published.revision === base.revision) return;
    if (differs && isDirty && saved !== text) return;
    if (differs && !isDirty) document.load(saved);
    setBase(published);
  }, [isPending, published, base, differs, isDirty, saved, text, document]);
  return {
    document,
    text,
    isDirty,
    revert: () => document.replace(baseText),
    save: () => send(base),
    isPending,
    /** The reason they were not saved, unless it is a conflict. */
    error: isChanged(sending.error) ? null : sending.error,
    /** Somebody else has saved other settings since the editing began. */
    isBehind: differs && isDirty && !isPending,
    /** The flow with the settings of somebody else, which the person is shown. */
    theirs,
    showTheirs,
    take: (flow: FlowView) => {
      document.load(textOfSettings(flow));
      setBase(flow);
      showTheirs(undefined);
    },
    saveOver: send,
  };
}

const useSettingsText = (flow: FlowView): string => useMemo(() => textOfSettings(flow), [flow]);
