import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ClaimService } from '../../src/inspection/claims/claim.service.js';
import { ReportDrawing } from '../../src/pdf/drawing/report-drawing.js';
import { RenderClosing } from '../../src/pdf/render/render-closing.js';
import { PdfRenderer } from '../../src/pdf/renderer/pdf-renderer.js';
import { ReportSigning } from '../../src/pdf/signing/report-signing.js';
import { ReportVault } from '../../src/pdf/vault/report-vault.js';

type Work = (...given: unknown[]) => Promise<unknown>;
/** A step of making a report, and whether the process dies before or after it. */
type Step = readonly [of: { prototype: object }, method: string, when: 'before' | 'after'];

const STEPS = {
  sealed: [ReportSigning, 'sign', 'before'],
  signed: [ReportSigning, 'sign', 'after'],
  'signature in the file': [PdfRenderer, 'amend', 'after'],
  'file in the store': [ReportDrawing, 'storeEvidence', 'before'],
  'claim to be settled': [ClaimService, 'settle', 'before'],
  'row in its open transaction': [ReportVault, 'add', 'after'],
  committed: [RenderClosing, 'store', 'after'],
} as const satisfies Record<string, Step>;

export type DeathPoint = keyof typeof STEPS;

/** The file in a service's `DATA_DIR` that names the point at which it dies. */
export const DEATH_FILE = 'death-point';

/** Kills this process once, if the file in its data directory names this point. */
function dieAt(point: string): void {
  const file = join(process.argv[1]!, DEATH_FILE);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== point) return;
  unlinkSync(file);
  process.kill(process.pid, 'SIGKILL');
}

for (const [point, [{ prototype }, method, when]] of Object.entries(STEPS)) {
  const methods = prototype as unknown as Record<string, Work>;
  const work = methods[method]!;
  methods[method] = async function (this: unknown, ...given) {
    if (when === 'before') dieAt(point);
    const done = await work.apply(this, given);
    if (when === 'after') dieAt(point);
    return done;
  };
}
