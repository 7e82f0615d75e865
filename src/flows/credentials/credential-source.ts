import { Injectable } from '@nestjs/common';
import type { CredentialHeaders } from './credential.js';

/** Where nodes get the secrets that a flow names by `credentialId`. This one holds none; `Credentials` keeps them. */
@Injectable()
export class CredentialSource {
  /** The key of a credential, for a model. Rejects with a sentence for the flow's owner when there is none with this id. */
  apiKey(credentialId: string): Promise<string> {
    return Promise.reject(new Error(this.missing(credentialId)));
  }

  /** The headers that a credential adds to an HTTP call. Rejects like `apiKey`. */
  headers(credentialId: string): Promise<CredentialHeaders> {
    return Promise.reject(new Error(this.missing(credentialId)));
  }

  protected missing(credentialId: string): string {
    return `There is no credential "${credentialId}". Create it, or take credentialId out of the node.`;
  }
}
