import type { ModuleRef } from '@nestjs/core';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { Secrets } from '../../common/secrets/secrets.js';
import type { Connections } from '../../database/connections.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { Takeover } from '../../executions/calls/takeover.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import { OutboxRooms } from '../../executions/outbox/outbox.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { SessionAccess } from '../../inspection/access/session-access.js';
import { CaptureService } from '../../inspection/capture/capture.service.js';
import { PhotographIntake } from '../../inspection/capture/photograph-intake.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import { EditionClaims } from '../../inspection/claims/edition-claims.js';
import { CorrectionService } from '../../inspection/corrections/correction.service.js';
import { InspectionDetails } from '../../inspection/details/inspection-details.js';
import { PhotographPrints } from '../../inspection/pictures/photograph-prints.js';
import { PictureWorkers } from '../../inspection/pictures/picture-workers.js';
import { inspectionEffects, type InspectionEffects } from '../../inspection/runs/run-inspections.js';
import { SessionChanges } from '../../inspection/session.js';
import { BlobStore } from '../../storage/blob-store.js';
import { StoredBytes } from '../../storage/stored-bytes.js';
import { MailOutbox, type MailOrder } from '../delivery/mail-outbox.js';
import { MailSender } from '../delivery/mail-sender.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { DrawingQueue } from '../drawing/drawing-queue.js';
import { ReportDrawing } from '../drawing/report-drawing.js';
import { ReportFitting } from '../drawing/report-fitting.js';
import { AssetEntity } from '../logos/asset.entity.js';
import { Logos } from '../logos/logos.js';
import { FlowRenders } from '../render/flow-renders.js';
import { Previews } from '../render/previews.js';
import { RenderClosing } from '../render/render-closing.js';
import { RenderService } from '../render/render.service.js';
import { ReportSigning } from '../signing/report-signing.js';
import { EditionSource } from '../sources/edition-source.js';
import { SessionSource } from '../sources/session-source.js';
import { SourceFinder } from '../sources/source-finder.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportLinks } from '../vault/report-links.js';
import { ReportVault } from '../vault/report-vault.js';

/** The database, files and flow of one rehearsal. */
export interface RehearsalPlace {
  readonly connections: Connections;
  readonly store: BlobStore;
  readonly flow: Flow;
}

/** The services of a rehearsal, all on its own database and files. */
export interface RehearsalServices {
  readonly inspection: InspectionEffects;
  readonly renders: FlowRenders;
  readonly vault: ReportVault;
  readonly outbox: MailOutbox;
  readonly gate: WriteGate;
  readonly lateWrites: LateWrites;
}

/**
 * Makes the services of a rehearsal. What they share with the service holds no records: workers, queues and their limits,
 * secrets, the clock. The logos of flows are copied when a report names them.
 */
export function rehearsalServices(
  modules: ModuleRef,
  { connections, store, flow }: RehearsalPlace,
): RehearsalServices {
  const shared = <Service>(type: { prototype: Service }): Service =>
    modules.get<Service>(type as never, { strict: false });
  const [config, clock] = [shared(AppConfig), shared(Clock)];
  const [logger, secrets] = [shared(Logger), shared(Secrets)];
  const [presence, workers] = [shared(ProcessPresence), shared(PictureWorkers)];
  const [lifecycle, links] = [shared(CallLifecycle), shared(ReportLinks)];
  const [access, rights, flows] = [shared(SessionAccess), shared(ReportAccess), shared(FlowStore)];

  const reader = new DatabaseReader(connections);
  const gate = new WriteGate(connections);
  const lateWrites = new LateWrites(logger);
  const journal = new EffectJournal(gate, reader, clock, secrets);

  const changes = new SessionChanges();
  const prints = new PhotographPrints(reader, gate, store, workers);
  const intake = new PhotographIntake(config, store, workers, shared(OutboundHttp));
  const captures = new CaptureService(config, clock, gate, intake, shared(StoredBytes), changes);
  const corrections = new CorrectionService(clock, gate, prints, changes);
  const details = new InspectionDetails(reader, gate, clock, changes);

  const claims = new ClaimService(reader, presence, clock, shared(ExecutionLog), shared(Takeover));
  const editionClaims = new EditionClaims(gate, presence, clock, prints);
  const logos = new CopiedLogos(
    { reader, gate, store, workers, clock, logger },
    shared(Logos),
    shared(BlobStore),
  );
  const vault = new ReportVault(reader, links);
  const ownFlow = { find: (id: string) => (id === flow.id ? Promise.resolve(flow) : flows.find(id)) };
  const session = new SessionSource(rights, claims, logos, ownFlow, access);
  const editions = new EditionSource(vault, claims, editionClaims, rights, session);
  const sources = new SourceFinder(session, editions, rights, vault, claims, flows);

  const signing = shared(ReportSigning);
  const queue = shared(DrawingQueue);
  const drawing = new ReportDrawing(claims, vault, logos, store, prints, secrets, signing, queue);
  const fitting = new ReportFitting(drawing, store, workers);
  const rooms = new OutboxRooms(gate, reader, presence, clock, lateWrites);
  const outbox = new MailOutbox(rooms, reader, clock, config);
  const delivery = new UnsentDelivery(config, outbox, shared(MailSender), links);
  const closing = new RenderClosing(
    gate,
    lateWrites,
    claims,
    vault,
    delivery,
    lifecycle,
    journal,
    clock,
    logger,
  );
  const previews = new Previews(gate, reader, store, drawing, closing, links, clock);
  const renders = new RenderService(
    gate,
    sources,
    lifecycle,
    drawing,
    fitting,
    vault,
    delivery,
    closing,
    previews,
    logger,
  );
  return {
    inspection: inspectionEffects({ captures, corrections, details, journal, reader, access, clock }),
    renders: new FlowRenders(renders, delivery, editions),
    ...{ vault, outbox, gate, lateWrites },
  };
}

/** Queues mails that nobody sends. Its recipients need no trust. */
class UnsentDelivery extends ReportDelivery {
  override check(order: MailOrder): void {
    super.check(order, true);
  }

  override hurry(): void {
    // Nothing is sent.
  }
}

interface LogoServices {
  reader: DatabaseReader;
  gate: WriteGate;
  store: BlobStore;
  workers: PictureWorkers;
  clock: Clock;
  logger: Logger;
}

/** The logos of a rehearsal: those that it makes, and copies of the service's. */
class CopiedLogos extends Logos {
  constructor(
    private readonly own: LogoServices,
    private readonly originals: Logos,
    private readonly files: BlobStore,
  ) {
    super(own.reader, own.gate, own.store, own.workers, own.clock, own.logger);
  }

  override async resolve(...[reference, path]: Parameters<Logos['resolve']>): ReturnType<Logos['resolve']> {
    const original = (await this.find(reference)) ? undefined : await this.originals.find(reference);
    if (original) await this.copy(original);
    return super.resolve(reference, path);
  }

  private async copy({
    id,
    key,
    width,
    height,
  }: NonNullable<Awaited<ReturnType<Logos['find']>>>): Promise<void> {
    const blob = await this.own.store.put('logos', await this.files.read(key), '.jpg');
    const { key: storageKey, sha256: sourceSha256, bytes } = blob;
    const createdAt = this.own.clock.now();
    const row = { id, sourceSha256, storageKey, bytes, width, height, createdAt };
    await this.own.gate.write((tx) => tx.repository(AssetEntity).insert(row));
  }
}
