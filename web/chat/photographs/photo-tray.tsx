import { useEffect, useRef } from 'react';
import { CloseIcon, RetryIcon } from '../../common/icons.js';
import { sizeInWords } from '../../common/size-in-words.js';
import { type Photograph, photographsInWords } from './photograph.js';
import type { PhotographTray, TrayState } from './photograph-tray.js';
import { Thumbnail } from './thumbnail.js';

/** The photographs of the message that is being written: each with its progress, a second try, and a way out. */
export function PhotoTray({ tray, state: { photographs } }: { tray: PhotographTray; state: TrayState }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.scrollTo({ left: list.current.scrollWidth });
  }, [photographs.length]);
  return (
    <section className="tray" aria-label="Photographs to send">
      <p className="tray-head">
        <span role="status">{inWords(photographs)}</span>
        <button type="button" className="quiet-button" onClick={tray.clear}>
          Remove all
        </button>
      </p>
      <ul ref={list} tabIndex={-1}>
        {photographs.map((photograph, index) => (
          <Tile key={photograph.id} photograph={photograph} number={index + 1} tray={tray} />
        ))}
      </ul>
      <Failures photographs={photographs} onRetry={tray.retryAll} />
    </section>
  );
}

/** Changes once a photograph, not with every byte: it is read out. */
function inWords(photographs: readonly Photograph[]): string {
  const { length } = photographs;
  const there = photographs.filter(({ journey }) => journey.at === 'there').length;
  const size = sizeInWords(photographs.reduce((sum, { bytes }) => sum + bytes, 0));
  if (there === length) return `${photographsInWords(length)} ready, ${size}`;
  return `${there} of ${photographsInWords(length)} ready, ${size}`;
}

function Tile({
  photograph: { id, name, journey },
  number,
  tray,
}: {
  photograph: Photograph;
  number: number;
  tray: PhotographTray;
}) {
  const label = `photograph ${number}, ${name}`;
  return (
    <li className={journey.at} title={name}>
      <Thumbnail id={id} name={name} />
      <Progress journey={journey} label={label} />
      {journey.at === 'failed' && journey.again && (
        <button
          type="button"
          className="again"
          aria-label={`Send ${label} again`}
          onClick={() => tray.retry(id)}
        >
          <RetryIcon />
        </button>
      )}
      <button type="button" className="remove" aria-label={`Remove ${label}`} onClick={() => tray.remove(id)}>
        <CloseIcon />
      </button>
    </li>
  );
}

function Progress({ journey, label }: Pick<Photograph, 'journey'> & { label: string }) {
  if (journey.at === 'there') return <span className="hidden">ready</span>;
  if (journey.at === 'failed') return <span className="hidden">not sent: {journey.sentence}</span>;
  const percent = journey.at === 'sending' ? Math.round(journey.share * 100) : 0;
  return (
    <svg
      className="ring"
      viewBox="0 0 36 36"
      role="progressbar"
      aria-label={`Sending ${label}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <circle cx="18" cy="18" r="14" />
      <circle className="done" cx="18" cy="18" r="14" pathLength="100" strokeDasharray={`${percent} 100`} />
    </svg>
  );
}

function Failures({ photographs, onRetry }: { photographs: readonly Photograph[]; onRetry: () => void }) {
  const failures = photographs.flatMap(({ journey }) => (journey.at === 'failed' ? [journey] : []));
  if (failures.length === 0) return null;
  const reasons = [...new Set(failures.map(({ sentence }) => sentence))];
  return (
    <div className="tray-failures" role="alert">
      <p>
        {photographsInWords(failures.length)} not sent. {reasons.join(' ')}
        {failures.some(({ again }) => !again) && ' Remove it to send your message.'}
      </p>
      {failures.some(({ again }) => again) && (
        <button type="button" className="quiet-button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
