import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useKinds } from '../../graph/kinds.js';
import { Button } from '../../parts/actions/button.js';
import { CloseIcon } from '../../parts/icons.js';
import './palette.css';

/** The type of dragged data that names a kind of node. */
export const DRAGGED_KIND = 'application/x-flow-node';

/** Kinds that only an import makes. */
const unlisted: ReadonlySet<string> = new Set(['missing']);

/** Lists the kinds of nodes, with a search. A kind is chosen by a press, or dragged to its place. */
export function Palette({
  title,
  hasStart,
  onChoose,
  onClose,
}: {
  title: string;
  hasStart: boolean;
  onChoose: (kind: string) => void;
  onClose: () => void;
}) {
  const kinds = useKinds();
  const [search, setSearch] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const found = useMemo(() => {
    const words = search.toLowerCase().trim().split(/\s+/);
    return [...kinds].filter(([kind, { name, about }]) => {
      if (unlisted.has(kind) || (kind === 'start' && hasStart)) return false;
      const text = `${kind} ${name} ${about}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [kinds, search, hasStart]);
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onClose();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    buttons[Math.max(0, Math.min(next, buttons.length - 1))]?.focus();
  };
  return (
    <div className="palette nowheel nopan nodrag" role="dialog" aria-label={title} onKeyDown={step}>
      <div className="palette-head">
        <input
          type="search"
          autoFocus
          className="field-input"
          aria-label="Search kinds of nodes"
          placeholder={title}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={({ key }) => {
            const [first] = found;
            if (key === 'Enter' && first) onChoose(first[0]);
          }}
        />
        <Button look="quiet" small label="Close" icon={<CloseIcon />} onPress={onClose} />
      </div>
      <ul ref={list}>
        {found.map(([kind, { name, icon, about }]) => (
          <li key={kind}>
            <button
              type="button"
              className="palette-kind"
              draggable
              title={about}
              onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED_KIND, kind)}
              onClick={() => onChoose(kind)}
            >
              <span className="graph-kind-icon">{icon}</span>
              <span className="palette-words">
                <strong>{name}</strong>
                <span>{about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="palette-none">No kind matches.</p>}
    </div>
  );
}
