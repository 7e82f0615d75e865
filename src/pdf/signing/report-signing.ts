import { type AppConfig, ConfigError } from '../../common/app-config.js';
import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';
import { SecretFault } from '../../common/secrets/secret-file.js';
import { signingFile } from '../../common/secrets/signing-file.js';
import { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { RevisionOrder, UnsignedRevision } from '../renderer/file/later-revision.js';
import type { Signer } from './signer.js';

/** Of the 10 s after which a report is signed without a stamp. */
const STAMP_MS = 7_000;
/** The code of the warning that a report was signed without a stamp. */
export const TIME_STAMP_FAILED = 'time_stamp_failed';
/** Bytes beside the certificates: the signature of the longest keys, and what names it. */
const ROOM = 3_072;
/** A token with the certificates of its server. */
const STAMP_ROOM = 16_384;
const SOON_MS = 30 * 86_400_000;

/** A revision with its signature in it, which is kept. */
export interface SignedRevision {
  readonly revision: Buffer;
  /** Hex digits, over the whole place of the signature. */
  readonly contents: string;
  readonly warnings: Warning[];
}

interface Opened {
  readonly signer: Signer;
  readonly stampUrl: string | undefined;
}

/**
 * Signs reports by PAdES (contract section 6, rule 12) where `SIGNING_P12` names a key: B-B, and B-T where `TSA_URL`
 * names a server that stamps the time. Only then are the packages for it loaded.
 */
export class ReportSigning {
  private constructor(
    private readonly opened: Opened | undefined,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Throws `ConfigError`, with what is wrong with the file: a service that should sign never serves without. */
  static async open(config: AppConfig, clock: Clock, logger: Logger): Promise<ReportSigning> {
    const { signing, timeStampUrl: stampUrl } = config;
    if (!signing) {
      if (stampUrl !== undefined) logger.warn('TSA_URL has no effect: SIGNING_P12 is not set');
      return new ReportSigning(undefined, clock, logger);
    }
    const signer = await openedSigner(signing);
    const fault = faultOfTime(signer, clock.now());
    if (fault !== undefined) throw new ConfigError([`SIGNING_P12: ${signing.file} ${fault}`]);
    const { name, fingerprint, validTo } = signer;
    const until = dayOf(validTo);
    logger.info({ signer: name, fingerprint, until, stamped: stampUrl !== undefined }, 'reports are signed');
    if (validTo - clock.now() < SOON_MS)
      logger.warn({ until }, 'the certificate that signs reports expires soon');
    return new ReportSigning({ signer, stampUrl }, clock, logger);
  }

  /** Whose signature reports bear; undefined where they bear none. */
  get identity(): { name: string; fingerprint: string } | undefined {
    const signer = this.opened?.signer;
    return signer && { name: signer.name, fingerprint: signer.fingerprint };
  }

  /** The room for a signature of now; nothing where none is made, with the warnings that say why where it should be. */
  order(): { revision?: RevisionOrder; warnings: Warning[] } {
    if (!this.opened) return { warnings: [] };
    const { signer, stampUrl } = this.opened;
    const signedAt = this.clock.now();
    const fault = faultOfTime(signer, signedAt);
    if (fault !== undefined) return { warnings: [notSigned(fault)] };
    const certificates = [signer.certificate, ...signer.chain];
    const room = certificates.reduce((sum, { length }) => sum + length, ROOM);
    return { revision: { signedAt, room: room + (stampUrl === undefined ? 0 : STAMP_ROOM) }, warnings: [] };
  }

  /**
   * Signs what `order` made room for. A server of time stamps that fails costs the stamp, never the report; where
   * `unstamped` it is not asked.
   */
  async sign({ revision, digest, contentsAt }: UnsignedRevision, unstamped = false): Promise<SignedRevision> {
    const { signer } = this.opened!;
    const { signedData } = await import('./cms.js');
    const warnings: Warning[] = [];
    const signed = Buffer.from(revision);
    const digits = signed.indexOf('>', contentsAt) - contentsAt;
    const withoutStamp = (reason: string) => {
      warnings.push(notStamped(reason));
      this.logger.warn({ reason }, 'a report was signed without a time stamp');
    };
    let der = await signedData(digest, signer, async (value) =>
      unstamped ? undefined : this.stamp(value, withoutStamp),
    );
    if (der.length * 2 > digits) {
      withoutStamp('Its answer is too large.');
      der = await signedData(digest, signer, () => Promise.resolve(undefined));
    }
    const contents = Buffer.from(der).toString('hex').padEnd(digits, '0');
    signed.write(contents, contentsAt, 'latin1');
    return { revision: signed, contents, warnings };
  }

  private async stamp(value: Uint8Array, failed: (reason: string) => void): Promise<Uint8Array | undefined> {
    const { stampUrl } = this.opened!;
    if (stampUrl === undefined) return undefined;
    const { NoTimeStamp, timeStampOf } = await import('./time-stamp.js');
    try {
      return await timeStampOf(value, stampUrl, STAMP_MS);
    } catch (error) {
      if (!(error instanceof NoTimeStamp || error instanceof ServiceError)) throw error;
      failed(error.message);
      return undefined;
    }
  }
}

async function openedSigner({ file, password }: { file: string; password: string }): Promise<Signer> {
  const { openSigner, SignerFault } = await import('./signer.js');
  try {
    return await openSigner(await signingFile(file), password);
  } catch (error) {
    if (error instanceof SecretFault) throw new ConfigError([`SIGNING_P12: ${error.message}`]);
    if (!(error instanceof SignerFault)) throw error;
    const { variable, message } = error;
    throw new ConfigError([`${variable}: ${variable === 'SIGNING_P12' ? `${file} ` : ''}${message}`]);
  }
}

function faultOfTime({ name, validFrom, validTo }: Signer, now: number): string | undefined {
  if (now > validTo)
    return `has expired: the certificate of "${name}" was valid until ${dayOf(validTo)}. Put a new one in its place.`;
  if (now < validFrom) return `is not valid yet: the certificate of "${name}" begins on ${dayOf(validFrom)}.`;
  return undefined;
}

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

const notSigned = (fault: string): Warning => ({
  code: 'report_not_signed',
  message: `The report is sealed, but bears no signature: the file that signs reports ${fault}`,
});

const notStamped = (reason: string): Warning => ({
  code: TIME_STAMP_FAILED,
  message: `The report is signed without a time stamp: the time-stamp server gave none. ${reason}`,
});
