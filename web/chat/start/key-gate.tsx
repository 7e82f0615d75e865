import { type FormEvent, useState } from 'react';
import { KeyIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import type { FlowService } from '../turns/service.js';
import type { Brand } from './brand.js';

/** Asks for the flow's key, which is stored until the tab is closed. */
export function KeyGate({
  name,
  brand,
  service,
  onKey,
}: {
  name: string;
  brand: Brand;
  service: FlowService;
  onKey: (key: string) => void;
}) {
  const [key, setKey] = useState('');
  const [fault, setFault] = useState('');
  const [checking, setChecking] = useState(false);
  const check = async (event: FormEvent) => {
    event.preventDefault();
    const given = key.trim();
    if (given === '' || checking) return;
    setChecking(true);
    setFault('');
    try {
      // Keys consist of visible ASCII characters; anything else may not be a valid header value.
      if (/^[\x21-\x7e]+$/.test(given) && (await service.opens(given))) return onKey(given);
      setFault(texts.keyWrong);
    } catch {
      setFault(texts.keyUnreachable);
    }
    setChecking(false);
  };
  return (
    <main className="gate">
      <form className="gate-card" onSubmit={(event) => void check(event)}>
        {brand.logo === undefined ? (
          <span className="gate-mark">
            <KeyIcon />
          </span>
        ) : (
          <img className="logo large" src={brand.logo} alt="" />
        )}
        <h1>{name}</h1>
        <p>{texts.keyText}</p>
        <label htmlFor="key">{texts.keyLabel}</label>
        <input
          id="key"
          type="password"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={key}
          aria-invalid={fault !== ''}
          aria-describedby="key-fault"
          onChange={(event) => setKey(event.target.value)}
        />
        <p id="key-fault" className="fault" role="alert">
          {fault}
        </p>
        <button type="submit" className="primary" disabled={checking || key.trim() === ''}>
          {checking ? texts.keyChecking : texts.keyOpen}
        </button>
        <p className="note">{texts.keyNote}</p>
      </form>
    </main>
  );
}
