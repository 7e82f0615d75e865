import { type CanActivate, type ExecutionContext, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from './app-config.js';
import { trustWithValues } from './bodies/json-limits.js';
import { bearerToken, sameSecret } from './constant-time.js';
import { ServiceError } from './service-error.js';

const MISSING = 'This needs the admin key. Send it as Authorization: Bearer <key>.';

const WRONG =
  'The key that was sent is not the admin key. It is what ADMIN_API_KEY sets, else the text of the file admin-key in the data directory.';

/** Lets only the holder of the admin key pass (contract section 4). */
@Injectable()
export class AdminGuard implements CanActivate, OnModuleInit {
  constructor(private readonly config: AppConfig) {}

  /** The key is made at the first start and not by the first call, so that it can be read once the service is ready. */
  onModuleInit(): void {
    void this.config.adminKey;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.holdsAdminKey(request)) {
      trustWithValues(request);
      return true;
    }
    const isMissing = bearerToken(request.headers.authorization) === undefined;
    throw new ServiceError(401, 'invalid_admin_key', isMissing ? MISSING : WRONG, {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }

  /** Whether the request carries the admin key; for routes that a flow's key opens as well. */
  holdsAdminKey(request: Request): boolean {
    const token = bearerToken(request.headers.authorization);
    return token !== undefined && sameSecret(token, this.config.adminKey);
  }
}
