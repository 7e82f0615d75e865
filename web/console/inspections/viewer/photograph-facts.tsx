import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Photograph } from '../../../../src/api/inspections.js';
import type { ReportView } from '../../../../src/api/reports.js';
import { file, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { DownloadIcon } from '../../parts/icons.js';
import { saveFile } from '../../parts/values/save-file.js';
import { Time } from '../../parts/values/time.js';
import { Problem } from '../../parts/waiting/problem.js';
import { bytesInWords } from '../../parts/words.js';
import { isClaimed, isWithdrawn } from '../photographs/area-groups.js';
import { ukStamp } from '../photographs/uk-stamp.js';

const SOURCES = {
  captureTs: 'sent with the photograph (captureTs)',
  server: 'time of receipt (no captureTs was sent)',
};

/** The facts of a photograph, after `children`. */
export function PhotographFacts({
  photograph,
  reports,
  children,
}: {
  photograph: Photograph;
  reports: readonly ReportView[];
  children: ReactNode;
}) {
  const { capturedAt, source, receivedAt, name, caption, sha256, bytes, width, height, executionId } =
    photograph;
  return (
    <div className="viewer-facts">
      {children}
      <dl>
        {caption !== null && isClaimed(photograph) && <Fact name="Caption">{caption}</Fact>}
        {photograph.withdrawnAt !== null && (
          <Fact name="Withdrawn">
            <Time at={photograph.withdrawnAt} form="long" />
            <small>stored, but neither printed nor counted</small>
          </Fact>
        )}
        <Fact name="Time in the report">
          {ukStamp(capturedAt)}
          <small>{SOURCES[source]}</small>
        </Fact>
        <Fact name="Received">
          <Time at={receivedAt} form="long" />
        </Fact>
        <CameraFacts photograph={photograph} />
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

/** The picture's own metadata, which is never printed as its time. */
function CameraFacts({ photograph: { camera } }: { photograph: Photograph }) {
  if (!camera) return null;
  const { time, place, device } = camera;
  return (
    <>
      {time !== undefined && <Fact name="Camera’s clock">{cameraTime(time)}</Fact>}
      {place && (
        <Fact name="Camera’s place">{`${place.latitude.toFixed(6)}, ${place.longitude.toFixed(6)}`}</Fact>
      )}
      {device !== undefined && <Fact name="Camera">{device}</Fact>}
    </>
  );
}

/** Formats the camera's time in its own zone: `2026-10-25 01:30:00 +01:00`. */
const cameraTime = (time: string): string =>
  `${time.slice(0, 10)} ${time.slice(11, 19)} ${time.slice(19)}`.trim();

function ReportOf({ photograph, reports }: { photograph: Photograph; reports: readonly ReportView[] }) {
  if (!isClaimed(photograph)) return <>{isWithdrawn(photograph) ? 'Withdrawn' : 'Not in a report'}</>;
  const report = reports.find(({ id }) => id === photograph.reportId);
  if (!report) return <>In a report in progress</>;
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
