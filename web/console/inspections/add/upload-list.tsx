import { useEffect, useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { AlertIcon, CheckIcon, CloseIcon, ImageIcon, RepeatIcon } from '../../parts/icons.js';
import { bytesInWords, counted } from '../../parts/words.js';
import type { Journey, Upload, UploadQueue } from './upload-queue.js';
import './upload-list.css';

/** The uploads, each with its progress and a retry button. */
export function UploadList({ queue, uploads }: { queue: UploadQueue; uploads: readonly Upload[] }) {
  if (uploads.length === 0) return null;
  const there = uploads.filter(({ journey }) => journey.at === 'recorded').length;
  const failed = uploads.filter(({ journey }) => journey.at === 'failed');
  return (
    <section className="uploads" aria-label="Uploads">
      <div className="uploads-head">
        <p role="status">
          {there === uploads.length
            ? `${counted(there, 'photograph')} recorded.`
            : `${there} of ${counted(uploads.length, 'photograph')} recorded.`}
          {failed.length > 0 && ` ${failed.length} not recorded.`}
        </p>
        {failed.some(({ journey }) => journey.at === 'failed' && journey.again) && (
          <Button small icon={<RepeatIcon />} onPress={queue.retryAll}>
            Retry all
          </Button>
        )}
        {there > 0 && (
          <Button look="quiet" small onPress={queue.tidy}>
            Clear recorded
          </Button>
        )}
      </div>
      <ul>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

function Row({
  upload: { id, name, bytes, area, file, journey },
  queue,
}: {
  upload: Upload;
  queue: UploadQueue;
}) {
  return (
    <li className={`upload upload-${journey.at}`}>
      <Small file={file} />
      <div className="upload-text">
        <span className="upload-name">{name}</span>
        <span className="upload-state">
          <State journey={journey} area={area} bytes={bytes} />
        </span>
        {journey.at === 'sending' && (
          <progress max={100} value={Math.round(journey.share * 100)} aria-label={`Sending ${name}`} />
        )}
      </div>
      {journey.at === 'failed' && journey.again && (
        <Button
          look="quiet"
          small
          label={`Send ${name} again`}
          icon={<RepeatIcon />}
          onPress={() => queue.retry(id)}
        />
      )}
      {journey.at !== 'recorded' && (
        <Button
          look="quiet"
          small
          label={`Remove ${name}`}
          icon={<CloseIcon />}
          onPress={() => queue.remove(id)}
        />
      )}
    </li>
  );
}

function State({ journey, area, bytes }: { journey: Journey; area: string; bytes: number }) {
  if (journey.at === 'failed')
    return (
      <span className="upload-fault">
        <AlertIcon /> {journey.sentence}
      </span>
    );
  if (journey.at === 'recorded')
    return (
      <>
        <span className="upload-there">
          <CheckIcon /> Recorded{journey.area === '' ? '' : ` under ${journey.area}`}
        </span>
        {journey.notes.map((note) => (
          <span key={note} className="upload-note">
            {note}
          </span>
        ))}
      </>
    );
  const where = area === '' ? '' : `, for ${area}`;
  if (journey.at === 'waiting') return `Waiting, ${bytesInWords(bytes)}${where}`;
  return journey.share >= 1 ? 'Being recorded' : `Sending, ${bytesInWords(bytes)}${where}`;
}

/** A thumbnail, if the browser can show the format. Most cannot show HEIC. */
function Small({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const [shown, setShown] = useState(true);
  return (
    <span className="upload-small">
      {url !== undefined && shown ? (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setShown(false)} />
      ) : (
        <ImageIcon />
      )}
    </span>
  );
}
