import { Tag } from '../../parts/values/status-tag.js';
import { ChangeSign } from '../canvas/change-sign.js';
import { changedMembers, changedNodes, type ChangeMark, sameButPlaces } from '../operations/changed-nodes.js';

const TONES: Readonly<Record<ChangeMark, 'good' | 'warn' | 'bad'>> = {
  added: 'good',
  changed: 'warn',
  removed: 'bad',
};

/** Lists the nodes that were added, changed and removed between two definitions, and their other members that differ. */
export function ChangeList({
  before,
  after,
  selected,
  onSelect,
}: {
  before: object;
  after: object;
  selected?: string | undefined;
  /** Makes the nodes buttons. */
  onSelect?: (nodeId: string) => void;
}) {
  const nodes = changedNodes(before, after);
  const others = otherMembers(before, after);
  return (
    <>
      {nodes.length > 0 && (
        <ul className="changed-nodes" aria-label="Changed nodes">
          {nodes.map(({ id, label, change }) => (
            <li key={id}>
              <Tag tone={TONES[change]}>
                <ChangeSign mark={change} />
              </Tag>
              {onSelect ? (
                <button
                  type="button"
                  className="changed-node"
                  aria-pressed={id === selected}
                  onClick={() => onSelect(id)}
                >
                  <bdi>{label}</bdi>
                </button>
              ) : (
                <bdi>{label}</bdi>
              )}
            </li>
          ))}
        </ul>
      )}
      {nodes.length === 0 && (
        <p>
          {sameButPlaces(before, after)
            ? 'No node has changed, except for its place in the picture.'
            : 'No node has changed.'}
        </p>
      )}
      {others.length > 0 && <p>Also changed: {others.join(', ')}.</p>}
    </>
  );
}

/** Returns the members beside the nodes that differ. */
const otherMembers = (before: object, after: object): string[] => [
  ...new Set(
    changedMembers(before, after)
      .map(({ path }) => path.split('.', 1)[0]!)
      .filter((name) => name !== 'nodes'),
  ),
];
