import { useQuery } from '@tanstack/react-query';
import type { CaseView, WholeCase } from '../../../../src/api/cases.js';
import { get, segment } from '../../api/client.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { ValueView } from '../../parts/values/value-view.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { bytesInWords, counted } from '../../parts/words.js';
import { casesPath } from './use-cases.js';

/** The copy that a case holds: the caller's words and files, and the calls with a recorded answer. */
export function CaseDialog({
  shown: { id, flowId, name },
  onClose,
}: {
  shown: CaseView;
  onClose: () => void;
}) {
  const whole = useQuery({
    queryKey: ['cases', flowId, id],
    queryFn: ({ signal }) => get<WholeCase>(`${casesPath(flowId)}/${segment(id)}`, { signal }),
  });
  return (
    <Dialog title={name} wide isOpen onClose={onClose}>
      <Fetched queries={[whole]} label="Loading the case">
        {whole.data && <Copy copy={whole.data} />}
      </Fetched>
    </Dialog>
  );
}

function Copy({ copy: { question, form, history, files, before, recorded } }: { copy: WholeCase }) {
  return (
    <div className="cases-detail">
      <section>
        <h3>Question</h3>
        <ValueView value={question} label="Question" />
      </section>
      {form !== undefined && (
        <section>
          <h3>Form</h3>
          <ValueView value={form} label="Form" />
        </section>
      )}
      <section>
        <h3>Answer then</h3>
        <ValueView value={before ?? ''} label="Answer then" />
      </section>
      {history > 0 && <p>{counted(history, 'earlier message')} of the chat.</p>}
      <List
        title="Files"
        items={files.map(({ name, bytes }) => (bytes === null ? name : `${name}, ${bytesInWords(bytes)}`))}
      />
      <List title="Recorded answers" items={recorded} />
    </div>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {items.map((item, index) => (
          <li key={index}>
            <bdi>{item}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
