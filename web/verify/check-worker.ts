import { checkReport } from '../../scripts/verify/check-report.mjs';

interface Order {
  readonly file: File;
  readonly trusted: ReadonlyMap<string, string>;
}

onmessage = async ({ data: { file, trusted } }: MessageEvent<Order>) => {
  try {
    postMessage(checkReport(new Uint8Array(await file.arrayBuffer()), trusted));
  } catch (error) {
    postMessage(error instanceof Error ? error.message : 'it could not be read');
  }
};
