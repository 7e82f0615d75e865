import { useMemo, useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { CloseIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import type { Members } from '../operations/definition.js';
import { found } from './find-nodes.js';
import './palette.css';

/** Searches the flow; a hit is selected and scrolled to. */
export function FindPane({
  definition,
  onShow,
  onClose,
}: {
  definition: Members;
  onShow: (id: string) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(-1);
  const hits = useMemo(() => found(definition, search), [definition, search]);
  const show = (index: number) => {
    const hit = hits[index];
    if (!hit) return;
    setAt(index);
    onShow(hit.id);
  };
  return (
    <div
      className="palette nowheel nopan nodrag"
      role="search"
      aria-label="Find in the flow"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <div className="palette-head">
        <input
          type="search"
          autoFocus
          className="field-input"
          aria-label="Find in the flow"
          placeholder="Find in the flow"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            setAt(-1);
          }}
          onKeyDown={({ key, shiftKey }) => {
            if (key === 'Enter' && hits.length > 0)
              show((at + (shiftKey ? -1 : 1) + hits.length) % hits.length);
          }}
        />
        <Button look="quiet" small label="Close" icon={<CloseIcon />} onPress={onClose} />
      </div>
      <p className="palette-none" role="status">
        {search.trim() === ''
          ? 'Words of names, settings and notes.'
          : counted(hits.length, 'match', 'matches')}
      </p>
      <ul>
        {hits.map(({ id, title, words }, index) => (
          <li key={id}>
            <button
              type="button"
              className="palette-kind"
              aria-current={index === at}
              onClick={() => show(index)}
            >
              <span className="palette-words">
                <strong>{title}</strong>
                <span>{words}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
