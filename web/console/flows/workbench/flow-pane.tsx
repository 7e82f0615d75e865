import { latePart } from '../../parts/waiting/late-part.js';
import { Loading } from '../../parts/waiting/loading.js';
import type { Operate } from '../canvas/use-commands.js';
import type { FlowDocument } from '../document/flow-document.js';
import type { TextReading } from './use-reading.js';

const FlowForm = latePart(() => import('../form/flow-form.js'), <Loading label="Loading the form" />);

/** The members of a text that stand beside the graph, as a form. */
export function FlowPane({
  document,
  reading,
  operate,
  children,
}: {
  document: FlowDocument;
  reading: TextReading;
  operate: Operate;
  /** Stands above the form. */
  children?: React.ReactNode;
}) {
  if (reading.isStale)
    return <p className="work-hint">The text is not valid JSON. Repair it in the definition first.</p>;
  return (
    <div className="work-form">
      {children}
      <FlowForm
        value={reading.definition}
        document={document}
        knowledge={reading.knowledge}
        faults={reading.faults}
        operate={operate}
      />
    </div>
  );
}
