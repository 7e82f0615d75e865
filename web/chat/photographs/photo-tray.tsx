import { useEffect, useRef } from 'react';
import { CheckIcon, CloseIcon, RetryIcon } from '../../common/icons.js';
import { sizeInWords } from '../../common/size-in-words.js';
import { texts } from '../texts.js';
import type { PhotographTray } from './photograph-tray.js';
import { namesInWords, type Photograph } from './photograph.js';
import { Picture } from './picture.js';
import type { TrayState } from './tray-parts.js';

/** The photographs attached to the message: each with its progress, a retry and a remove button. */
export function PhotoTray({
  tray,
  state: { photographs, keeping },
}: {
  tray: PhotographTray;
  state: TrayState;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.scrollTo({ left: list.current.scrollWidth });
  }, [photographs.length]);
  return (
    <section className="tray" aria-label={texts.tray}>
      <p className="tray-head">
        <span role="status">{inWords(photographs)}</span>
        <button type="button" className="quiet-button" onClick={tray.clear}>
          {texts.removeAll}
        </button>
      </p>
      <ul ref={list} tabIndex={-1}>
        {photographs.map((photograph, index) => (
          <Tile key={photograph.id} photograph={photograph} number={index + 1} tray={tray} />
        ))}
      </ul>
      <Keeping photographs={photographs} total={keeping} />
      <Saved photographs={photographs} />
      <Damaged photographs={photographs} />
      <Failures photographs={photographs} onRetry={tray.retryAll} />
    </section>
  );
}

/** Summarises the tray. It changes once per photograph, not with every byte, because screen readers announce it. */
function inWords(photographs: readonly Photograph[]): string {
  const { length } = photographs;
  const there = photographs.filter(({ journey }) => journey.at === 'there').length;
  const size = sizeInWords(photographs.reduce((sum, { bytes }) => sum + bytes, 0));
  const all = texts.photographs(length);
  return there === length ? texts.ready(all, size) : texts.someReady(there, all, size);
}

function Tile({
  photograph: { id, name, journey, onDevice },
  number,
  tray,
}: {
  photograph: Photograph;
  number: number;
  tray: PhotographTray;
}) {
  const label = texts.numbered(number, name);
  return (
    <li className={journey.at} title={name}>
      <Picture id={id} name={name} label={label} />
      <Progress journey={journey} label={label} />
      {onDevice && (
        <span className="saved">
          <CheckIcon />
          <span className="hidden">{texts.tileSaved}</span>
        </span>
      )}
      {journey.at === 'failed' && journey.again && (
        <button
          type="button"
          className="again"
          aria-label={texts.sendAgain(label)}
          onClick={() => tray.retry(id)}
        >
          <RetryIcon />
        </button>
      )}
      <button
        type="button"
        className="remove"
        aria-label={texts.remove(label)}
        onClick={() => tray.remove(id)}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

function Progress({ journey, label }: Pick<Photograph, 'journey'> & { label: string }) {
  if (journey.at === 'keeping') return null;
  if (journey.at === 'there') return <span className="hidden">{texts.tileReady}</span>;
  if (journey.at === 'failed') return <span className="hidden">{texts.tileNotSent(journey.sentence)}</span>;
  const percent = journey.at === 'sending' ? Math.round(journey.share * 100) : 0;
  return (
    <svg
      className="ring"
      viewBox="0 0 36 36"
      role="progressbar"
      aria-label={texts.sending(label)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <circle cx="18" cy="18" r="14" />
      <circle className="done" cx="18" cy="18" r="14" pathLength="100" strokeDasharray={`${percent} 100`} />
    </svg>
  );
}

/** Says how many photographs are being stored on the device, since closing the page now would lose them. */
function Keeping({ photographs, total }: { photographs: readonly Photograph[]; total: number }) {
  const left = photographs.filter(({ journey }) => journey.at === 'keeping').length;
  if (left === 0) return null;
  return (
    <p className="tray-note keeping-note" role="status">
      {texts.keeping(Math.max(0, total - left), total)}
    </p>
  );
}

/** Says how many photographs are safe on the device while some are not uploaded yet. */
function Saved({ photographs }: { photographs: readonly Photograph[] }) {
  const saved = photographs.filter((photograph) => photograph.onDevice).length;
  if (saved === 0 || photographs.every(({ journey }) => journey.at === 'there')) return null;
  return <p className="tray-note">{texts.allSaved(texts.photographs(saved))}</p>;
}

function Damaged({ photographs }: { photographs: readonly Photograph[] }) {
  const names = photographs.flatMap(({ name, damaged }) => (damaged ? [name] : []));
  if (names.length === 0) return null;
  return (
    <p className="tray-note warns" role="alert">
      {texts.damaged(namesInWords(names), names.length)}
    </p>
  );
}

function Failures({ photographs, onRetry }: { photographs: readonly Photograph[]; onRetry: () => void }) {
  const failures = photographs.flatMap(({ name, journey }) =>
    journey.at === 'failed' ? [{ ...journey, name }] : [],
  );
  if (failures.length === 0) return null;
  const sentences = failures.map(({ again, name, sentence }) =>
    again ? sentence : texts.ofFile(name, sentence),
  );
  const reasons = [...new Set(sentences)].join(' ');
  const stuck = failures.filter(({ again }) => !again).length;
  return (
    <div className="tray-failures" role="alert">
      <p>
        {texts.notSent(texts.photographs(failures.length), reasons)}
        {stuck > 0 && ` ${texts.removeToSend(stuck)}`}
      </p>
      {failures.some(({ again }) => again) && (
        <button type="button" className="quiet-button" onClick={onRetry}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}
