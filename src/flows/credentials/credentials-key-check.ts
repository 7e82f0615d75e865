import { Injectable } from '@nestjs/common';
import { credentialsKey } from '../../common/secrets/secret-kind.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { AnnouncedSecrets } from '../../database/presence/announced-secrets.js';
import { Credentials } from './credentials.js';

/** A start with a key that opens no stored credential stops (contract section 13): it is the key of something else. */
@Injectable()
export class CredentialsKeyCheck {
  constructor(announced: AnnouncedSecrets, credentials: Credentials, secrets: Secrets) {
    announced.onCheck(async () =>
      (await credentials.opensNone())
        ? `${secrets.whereIs(credentialsKey.variable)}: ${OPENS_NONE}`
        : undefined,
    );
  }
}

/** The end of a sentence about the key, and what to do. */
export const OPENS_NONE =
  "opens none of the stored credentials. Put back the key that they were made with. If it is lost, run UPDATE credentials SET sealed = '' in the database, start, and enter each credential anew.";
