import { type AppConfig, ConfigError } from '../../common/app-config.js';
import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/logger.js';
import { SecretFault } from '../../common/secrets/secret-file.js';
import { signingFile } from '../../common/secrets/signing-file.js';
import { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { RevisionOrder, UnsignedRevision } from '../renderer/file/later-revision.js';
import type { Signer } from './signer.js';

/** Time limit of a request for a time stamp, within the 10 s after which a report is signed without one. */
const STAMP_MS = 7_000;
/** The warning code of a report that was signed without a time stamp. */
export const TIME_STAMP_FAILED = 'time_stamp_failed';
/** Bytes of a signature beside its certificates, with the longest keys. */
const SIGNATURE_BYTES = 3_072;
/** Bytes of a token with the certificates of its server. */
const STAMP_BYTES = 16_384;
const SOON_MS = 30 * 86_400_000;

/** A signed revision, which is stored. */
interface SignedRevision {
  readonly revision: Buffer;
  /** Hex digits that fill the place of the signature. */
  readonly contents: string;
  readonly warnings: Warning[];
}

interface Opened {
  readonly signer: Signer;
  readonly stampUrl: string | undefined;
}

/**
 * Signs reports by PAdES (contract section 6, rule 12) if `SIGNING_P12` names a key: level B-B, or B-T with a time-stamp
 * server (`TSA_URL`). The packages for it are loaded only then.
 */
export class ReportSigning {
  private constructor(
    private readonly opened: Opened | undefined,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Throws `ConfigError` if the file cannot sign: a service that should sign never serves without it. */
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

  /** The signer of reports; undefined if they are not signed. */
  get identity(): { name: string; fingerprint: string } | undefined {
    const signer = this.opened?.signer;
    return signer && { name: signer.name, fingerprint: signer.fingerprint };
  }

  /** Returns the place for a signature made now. Without one, `warnings` says why if reports should be signed. */
  order(): { revision?: RevisionOrder; warnings: Warning[] } {
    if (!this.opened) return { warnings: [] };
    const { signer, stampUrl } = this.opened;
    const signedAt = this.clock.now();
    const fault = faultOfTime(signer, signedAt);
    if (fault !== undefined) return { warnings: [notSigned(fault)] };
    const certificates = [signer.certificate, ...signer.chain];
    const most = certificates.reduce((sum, { length }) => sum + length, SIGNATURE_BYTES);
    const reserved = most + (stampUrl === undefined ? 0 : STAMP_BYTES);
    return { revision: { signedAt, reserved }, warnings: [] };
  }

  /**
   * Signs the revision that was made for `order`. If the time-stamp server fails, the report is signed without a stamp. With
   * `unstamped` no stamp is requested.
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
    return `has expired: the certificate of "${name}" was valid until ${dayOf(validTo)}. Replace it.`;
  if (now < validFrom) return `is not valid yet: the certificate of "${name}" begins on ${dayOf(validFrom)}.`;
  return undefined;
}

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

const notSigned = (fault: string): Warning => ({
  code: 'report_not_signed',
  message: `The report is sealed but not signed: the signing file ${fault}`,
});

const notStamped = (reason: string): Warning => ({
  code: TIME_STAMP_FAILED,
  message: `The report is signed without a time stamp, because the time-stamp server failed. ${reason}`,
});
