/** A bucket `blobs` on its own server on this machine. */
export interface Bucket {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Lets the process exit while it runs. */
  unref(): void;
  close(): Promise<void>;
}

export const ACCOUNT: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };

export function startBucket(): Promise<Bucket>;
