import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { file, segment } from '../api/client.js';
import type { Photograph } from '../api/types/inspections.js';
import type { Report } from '../api/types/reports.js';
import { Button } from '../parts/button.js';
import { CopyButton } from '../parts/copy-button.js';
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon, DownloadIcon } from '../parts/icons.js';
import { Problem } from '../parts/problem.js';
import { saveFile } from '../parts/save-file.js';
import { Time } from '../parts/time.js';
import { bytesInWords } from '../parts/words.js';
import './photograph-viewer.css';
import { usePicture } from './pictures.js';
import { ukStamp } from './uk-stamp.js';

interface ViewerProps {
  /** In the order in which one leads to the next. */
  photographs: readonly Photograph[];
  /** The id of the one that is shown; nothing while closed. */
  open: string | undefined;
  onOpen: (id: string | undefined) => void;
  reports: readonly Report[];
}

/** A photograph large, with what is known of it. Arrow keys lead to its neighbours and round, Escape back. */
export function PhotographViewer({ photographs, open, onOpen, reports }: ViewerProps) {
  const index = photographs.findIndex(({ id }) => id === open);
  const photograph = photographs[index];
  return (
    <ModalOverlay
      className="viewer-back"
      isOpen={photograph !== undefined}
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onOpen(undefined);
      }}
    >
      <Modal className="viewer">
        <Dialog className="viewer-body">
          {photograph && (
            <Shown
              photograph={photograph}
              reports={reports}
              number={index + 1}
              count={photographs.length}
              onGo={(step) => onOpen(photographs.at((index + step) % photographs.length)?.id)}
              onClose={() => onOpen(undefined)}
            />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Shown({
  photograph,
  reports,
  number,
  count,
  onGo,
  onClose,
}: {
  photograph: Photograph;
  reports: readonly Report[];
  number: number;
  count: number;
  onGo: (step: number) => void;
  onClose: () => void;
}) {
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') onGo(-1);
    if (key === 'ArrowRight') onGo(1);
  };
  return (
    <div className="viewer-parts" onKeyDown={onKeyDown}>
      <div className="viewer-head">
        <Heading slot="title">{photograph.area}</Heading>
        <span className="viewer-number" role="status">
          {number} of {count}
        </span>
        <Button
          look="quiet"
          label="Previous photograph"
          icon={<ChevronLeftIcon />}
          onPress={() => onGo(-1)}
        />
        <Button look="quiet" label="Next photograph" icon={<ChevronRightIcon />} onPress={() => onGo(1)} />
        <Button autoFocus look="quiet" label="Close" icon={<CloseIcon />} onPress={onClose} />
      </div>
      <Large key={photograph.id} photograph={photograph} />
      <Facts key={`facts ${photograph.id}`} photograph={photograph} reports={reports} />
    </div>
  );
}

function Large({ photograph: { id, area, caption } }: { photograph: Photograph }) {
  const { url, failed } = usePicture(id, true);
  return (
    <div className="viewer-picture">
      {url !== undefined && <img src={url} alt={caption ?? `Photograph of ${area}`} />}
      {failed && <p>This picture could not be loaded. Its original can still be tried.</p>}
    </div>
  );
}

const SOURCES = {
  captureTs: 'sent with the photograph (captureTs)',
  server: 'when it was received (no captureTs was sent)',
};

function Facts({ photograph, reports }: { photograph: Photograph; reports: readonly Report[] }) {
  const { capturedAt, source, receivedAt, name, caption, sha256, bytes, width, height, executionId } =
    photograph;
  return (
    <div className="viewer-facts">
      <dl>
        {caption !== null && <Fact name="Caption">{caption}</Fact>}
        <Fact name="Time in the report">
          {ukStamp(capturedAt)}
          <small>{SOURCES[source]}</small>
        </Fact>
        <Fact name="Received">
          <Time at={receivedAt} form="long" />
        </Fact>
        <Fact name="Report">
          <ReportOf photograph={photograph} reports={reports} />
        </Fact>
        {name !== null && <Fact name="File">{name}</Fact>}
        <Fact name="Original">
          {bytesInWords(bytes)}, {width} × {height} pixels
        </Fact>
        <Fact name="SHA-256">
          <span className="viewer-hash">
            <code>{sha256}</code>
            <CopyButton text={sha256} label="Copy the SHA-256" />
          </span>
        </Fact>
        <Fact name="Recorded by">
          <Link to="/console/executions/$id" params={{ id: executionId }}>
            This execution
          </Link>
        </Fact>
      </dl>
      <Original photograph={photograph} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ReportOf({
  photograph: { pending, reportId },
  reports,
}: {
  photograph: Photograph;
  reports: readonly Report[];
}) {
  if (pending) return <>Not reported yet</>;
  const report = reports.find(({ id }) => id === reportId);
  if (!report) return <>In a report that is being made</>;
  return (
    <a href={`${report.url}&inline=true`} target="_blank" rel="noopener">
      {report.filename}
    </a>
  );
}

function Original({ photograph: { id, name } }: { photograph: Photograph }) {
  const saving = useMutation({
    mutationFn: async () => {
      const blob = await file(`inspection/photographs/${segment(id)}/original`);
      saveFile(blob, name ?? `${id}.${blob.type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'bin'}`);
    },
  });
  return (
    <div className="viewer-original">
      <Button icon={<DownloadIcon />} isPending={saving.isPending} onPress={() => saving.mutate()}>
        Save the original
      </Button>
      {saving.error && <Problem error={saving.error} />}
    </div>
  );
}
