import type { AppConfig } from './common/app-config.js';
import { SAMPLE_CHAT } from './flows/store/flow-files.js';

/** Wildcard addresses, which a browser cannot open. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Returns the lines printed at a terminal: addresses of the pages, place of the admin key, how to stop. */
export function greeting(
  config: Pick<AppConfig, 'host' | 'publicUrl' | 'samples'>,
  adminKeyFile: string | undefined,
  port: number,
): string {
  const url = config.publicUrl ?? localUrl(config.host, port);
  const lines = [
    ...(config.samples ? [['Chat page', `${url}/chat/${SAMPLE_CHAT}`]] : []),
    ['Console', `${url}/console`],
    ['API documentation', `${url}/docs`],
    ['Admin key', adminKeyFile ? `in ${adminKeyFile}` : 'the value of ADMIN_API_KEY'],
  ];
  const shown = lines.map(([name = '', value = '']) => `    ${name.padEnd(17)}   ${value}`);
  return ['', `  Ready at ${url}`, '', ...shown, '', '  To stop: Ctrl+C', '', ''].join('\n');
}

function localUrl(host: string, port: number): string {
  if (EVERY_ADDRESS.has(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
