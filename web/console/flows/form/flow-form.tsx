import type { Fault } from '../../api/api-error.js';
import { Loading } from '../../parts/waiting/loading.js';
import type { Operate } from '../canvas/use-commands.js';
import type { FlowDocument } from '../document/flow-document.js';
import type { Knowledge } from '../editor/completion.js';
import type { Members } from '../operations/definition.js';
import { setAt, swapAt } from '../operations/edit-nodes.js';
import { flowPicks } from './picks.js';
import { SchemaForm } from './schema-form.js';

/** Members that are edited on the canvas. */
const DRAWN = ['nodes', 'edges', 'notes'];

/** The members of a flow beside its graph as a form, made from the schema of this part of a flow. */
export default function FlowForm({
  value,
  document,
  knowledge,
  faults,
  operate,
}: {
  value: Members;
  document: FlowDocument;
  knowledge: Knowledge;
  faults: readonly Fault[];
  operate: Operate;
}) {
  const { schema } = knowledge;
  if (!schema) return <Loading label="Loading the form" />;
  return (
    <SchemaForm
      root={schema}
      schema={schema}
      value={value}
      label="Flow"
      without={DRAWN}
      faults={faults}
      names={[]}
      pick={flowPicks(knowledge, value)}
      set={(path, next) =>
        void operate(
          (flow) => setAt(flow, path, next) as Members,
          next === undefined ? undefined : `flow:${path.join('.')}`,
        )
      }
      swap={(path, index) => void operate((flow) => swapAt(flow, path, index))}
      done={() => document.endGroup()}
    />
  );
}
