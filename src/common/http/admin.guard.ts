import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { trustWithValues } from '../json/json-limits.js';
import { bearerToken, sameSecret } from '../secrets/constant-time.js';
import { Secrets } from '../secrets/secrets.js';
import { ServiceError } from '../service-error.js';

const MISSING = 'This needs the admin key. Send it as Authorization: Bearer <key>.';

const WRONG =
  'The key that was sent is not the admin key. It is what ADMIN_API_KEY sets, else the text of the file admin-key in SECRETS_DIR (else DATA_DIR).';

/** Lets only the holder of the admin key pass (contract section 4). */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly secrets: Secrets) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.holdsAdminKey(request)) {
      trustWithValues(request);
      return true;
    }
    const isMissing = bearerToken(request.headers.authorization) === undefined;
    throw new ServiceError('invalid_admin_key', isMissing ? MISSING : WRONG, {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }

  /** Returns whether the request carries the admin key; for routes that a flow's key opens as well. */
  holdsAdminKey(request: Request): boolean {
    const token = bearerToken(request.headers.authorization);
    return token !== undefined && sameSecret(token, this.secrets.adminKey);
  }
}
