import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { In } from 'typeorm';
import type { RenderedReport } from '../../api/reports.js';
import { Clock } from '../../common/clock.js';
import { foldWarnings, type Warning } from '../../common/warnings.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { patiently } from '../../database/patiently.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { DrawnReport } from '../drawing/drawn-report.js';
import { ReportDrawing } from '../drawing/report-drawing.js';
import { PreviewEntity } from '../vault/preview.entity.js';
import { ReportLinks } from '../vault/report-links.js';
import { reducedTo } from '../vault/report-vault.js';
import { RenderClosing } from './render-closing.js';
import type { RenderCaller, RenderOrder } from './render-request.js';

const LIVES_MS = 3_600_000;

/** A preview that can still be fetched. */
interface StoredPreview {
  id: string;
  key: string;
  flowIds: string[];
  filename: string;
  bytes: number;
  sha256: string;
}

/** Files of previews (contract section 6): the latest of each session, for an hour. Rows here, bytes in storage. */
@Injectable()
export class Previews {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly store: BlobStore,
    private readonly drawing: ReportDrawing,
    private readonly closing: RenderClosing,
    private readonly links: ReportLinks,
    private readonly clock: Clock,
  ) {}

  /** Ends a preview: stores its row and ends its record in one transaction. `claim` was rolled back. */
  async finish(
    claim: Claim,
    drawn: DrawnReport,
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<RenderedReport> {
    await this.drawing.discardEvidence(drawn);
    const { blob, filename, pages, photographs, warnings, prints } = drawn;
    const { key: storageKey, bytes, sha256 } = blob;
    const [id, expiresAt] = [randomUUID(), this.clock.now() + LIVES_MS];
    const url = this.links.linkTo('preview', caller.origin, id, expiresAt);
    const answer: RenderedReport = {
      file: { id, filename, url, bytes, pages, sha256, photographs, ...reducedTo(prints) },
      preview: true,
      claimed: claim.photographs,
      outstandingAreas: claim.outstandingAreas,
      warnings: order.email ? foldWarnings(warnings, [NOT_MAILED]) : warnings,
      executionId: claim.executionId,
    };
    const { executionId, sessionId } = claim;
    const place = { sessionId, flowIds: JSON.stringify(claim.flowIds) };
    const row = { id, executionId, ...place, filename, storageKey, bytes, sha256, expiresAt };
    const replaced = await patiently(() =>
      this.gate.write(async (tx) => {
        const previews = tx.repository(PreviewEntity);
        const earlier = (await previews.findBy(place)).filter((preview) => preview.id !== id);
        await previews.delete({ id: In(earlier.map((preview) => preview.id)) });
        await previews.insert(row);
        await this.closing.succeed(tx, caller, answer, `${filename} (preview)`);
        return earlier;
      }),
    );
    // A file that cannot be removed has no row, so the sweep deletes it.
    for (const preview of replaced) await this.store.remove(preview.storageKey).catch(() => undefined);
    return answer;
  }

  /** Returns undefined once its hour is over or another preview has replaced it. */
  async find(id: string): Promise<StoredPreview | undefined> {
    const row = await this.reader.repository(PreviewEntity).findOneBy({ id });
    if (!row || row.expiresAt <= this.clock.now()) return undefined;
    const { storageKey: key, flowIds, filename, bytes, sha256 } = row;
    return { id, key, flowIds: JSON.parse(flowIds) as string[], filename, bytes, sha256 };
  }
}

const NOT_MAILED: Warning = {
  code: 'preview_not_mailed',
  message: 'A preview is not mailed. Render the report without "preview" to send it.',
  path: 'delivery.email',
};
