import type { Request } from 'express';
import type { AppConfig } from './app-config.js';

/** `scheme://host` under which this caller reaches the service, for links: `PUBLIC_URL`, else from the request. */
export function publicUrlOf(request: Request, config: AppConfig): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const url = `${request.protocol}://${request.headers.host ?? 'localhost'}`;
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}
