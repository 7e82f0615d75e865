import type { Request } from 'express';
import type { AppConfig } from './app-config.js';

/** `scheme://host` under which the service is reached, for links: `PUBLIC_URL`, else as this caller reached it. */
export const publicOrigin = (request: Request, config: AppConfig): string =>
  config.publicUrl ?? `${request.protocol}://${request.host || 'localhost'}`;
