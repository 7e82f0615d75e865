import { useMemo, useState } from 'react';
import { Button } from '../actions/button.js';
import { CopyButton } from '../actions/copy-button.js';
import { DownloadIcon } from '../icons.js';
import { bytesInWords } from '../words.js';
import './value-view.css';
import { saveText } from './save-file.js';

const FOLDED = 1_500;
const STEP = 60_000;
/** The most characters shown, beyond which the page would become slow. */
const MOST = 600_000;

/** Shows a value as text, with JSON formatted. Long values are expanded in steps; copying and saving always use all of it. */
export function ValueView({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => textOf(value), [value]);
  const [shown, setShown] = useState(FOLDED);
  if (text === '') return <p className="value-none">Empty.</p>;
  const long = text.length > FOLDED + 200;
  const visible = long ? text.slice(0, shown) : text;
  const more = visible.length < text.length;
  return (
    <div className="value">
      <div className="value-tools">
        <CopyButton text={text} label={`Copy ${label}`} />
        {long && (
          <Button
            look="quiet"
            small
            icon={<DownloadIcon />}
            label={`Save ${label} as a file`}
            onPress={() => saveText(text, `${label.replaceAll(/\W+/g, '-')}.${fileEnding(value)}`)}
          />
        )}
      </div>
      <pre className="value-text" tabIndex={0} role="region" aria-label={label}>
        {visible}
        {more && '…'}
      </pre>
      {long && (
        <div className="value-foot">
          {more && shown < MOST && (
            <Button small onPress={() => setShown(shown < STEP ? STEP : shown + STEP)}>
              Show more
            </Button>
          )}
          {shown > FOLDED && (
            <Button small onPress={() => setShown(FOLDED)}>
              Show less
            </Button>
          )}
          <span>
            {more ? `${bytesInWords(visible.length)} of ` : ''}
            {bytesInWords(text.length)}
            {more && shown >= MOST ? '; copy or save it to see the rest' : ''}
          </span>
        </div>
      )}
    </div>
  );
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

const fileEnding = (value: unknown): string => (typeof value === 'string' ? 'txt' : 'json');
