import { useState } from 'react';
import { copyText } from './copy-text.js';
import { CheckIcon, LinkIcon, ShareIcon } from './icons.js';

interface SharedReport {
  /** The address in the answer, for other people. */
  readonly href: string;
  /** The address on this page's origin. */
  readonly path: string;
  readonly name: string;
}

/** Buttons that pass a report on: its file where the device shares files, else its link. */
export function ReportActions(report: SharedReport) {
  const [state, setState] = useState<'idle' | 'sharing' | 'copied' | 'failed'>('idle');
  const share = async () => {
    setState('sharing');
    setState(await shareReport(report).then(doneOrFailed, () => 'failed'));
  };
  const copy = async () => setState((await copyText(report.href)) ? 'copied' : 'failed');
  const isCopied = state === 'copied';
  return (
    <div className="report-actions">
      {typeof navigator.share === 'function' && (
        <button
          type="button"
          className="quiet-button"
          aria-disabled={state === 'sharing'}
          onClick={() => void share()}
        >
          <ShareIcon />
          Share
        </button>
      )}
      <button type="button" className="quiet-button" onClick={() => void copy()}>
        {isCopied ? <CheckIcon /> : <LinkIcon />}
        Copy link
      </button>
      <span role="status" className={state === 'failed' ? 'note' : 'hidden'}>
        {isCopied
          ? 'Link copied'
          : state === 'failed'
            ? 'That did not work. Open the report and share it there.'
            : ''}
      </span>
    </div>
  );
}

const doneOrFailed = (shared: boolean) => (shared ? 'idle' : 'failed');

/** Opens the device's share sheet. Returns false if it could not be opened; closing it is no failure. */
async function shareReport({ href, path, name }: SharedReport): Promise<boolean> {
  const file = await fileOf(path, name);
  const offers = [...(file ? [{ files: [file], title: name }] : []), { url: href, title: name }];
  for (const offer of offers) {
    if ('files' in offer && !navigator.canShare?.(offer)) continue;
    try {
      await navigator.share(offer);
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return true;
    }
  }
  return false;
}

async function fileOf(path: string, name: string): Promise<File | undefined> {
  if (typeof navigator.canShare !== 'function') return undefined;
  const answer = await fetch(path).catch(() => undefined);
  if (!answer?.ok) return undefined;
  return new File([await answer.blob()], name, { type: 'application/pdf' });
}
