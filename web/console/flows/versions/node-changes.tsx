import { differenceOf } from '../flow-text.js';
import { changedMembers } from '../operations/changed-nodes.js';
import { type Members, nodeOf, textOf } from '../operations/definition.js';

/** The members of a node that differ between two definitions, each with its old and its new value. */
export function NodeChanges({ id, before, after }: { id: string; before: Members; after: Members }) {
  const [old, now] = [nodeOf(before, id), nodeOf(after, id)];
  const changes = changedMembers(old, now);
  const name = textOf(now ?? old, 'label') || id;
  return (
    <section className="node-changes" aria-label={`Changes of ${name}`}>
      <h3>
        <bdi>{name}</bdi>
        {!old && ', added'}
        {!now && ', removed'}
      </h3>
      {changes.length === 0 && <p>This node has not changed.</p>}
      <dl>
        {changes.map(({ path, ...values }) => (
          <div key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <Values {...values} />
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The values; of long texts only the lines that differ. */
function Values({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [textIn(before), textIn(after)];
  const isLong = old !== undefined && now !== undefined && (old + now).includes('\n');
  const part = isLong ? differenceOf(old, now) : undefined;
  const [was, is] = part ? [part.mine, part.theirs] : [old, now];
  return (
    <>
      {part && <dd className="faint">From line {part.line}</dd>}
      {was !== undefined && (
        <dd className="node-change-old">
          <span>Before</span>
          <del>{was}</del>
        </dd>
      )}
      {is !== undefined && (
        <dd className="node-change-new">
          <span>After</span>
          <ins>{is}</ins>
        </dd>
      )}
    </>
  );
}

const textIn = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value, null, 2);
