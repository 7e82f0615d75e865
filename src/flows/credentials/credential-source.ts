import { Injectable } from '@nestjs/common';
import type { CredentialHeaders } from './credential.js';

/** The source of the secrets that a flow names by `credentialId`. This one has none; `Credentials` stores them. */
@Injectable()
export class CredentialSource {
  /** Returns the key of a model. Rejects with a sentence for the flow's owner when there is no such credential. */
  apiKey(credentialId: string): Promise<string> {
    return Promise.reject(new Error(this.missing(credentialId)));
  }

  /** Returns the headers that a credential adds to an HTTP call. Rejects like `apiKey`. */
  headers(credentialId: string): Promise<CredentialHeaders> {
    return Promise.reject(new Error(this.missing(credentialId)));
  }

  /**
   * Returns the headers of an optional credential. If it cannot be opened, `ready` throws like `headers`: a call whose answer
   * is stored needs no credential.
   */
  async prepare(credentialId: string | undefined): Promise<CredentialHeaders & { ready: () => void }> {
    const none = { headers: {}, secrets: [], ready: () => undefined };
    if (credentialId === undefined) return none;
    try {
      return { ...none, ...(await this.headers(credentialId)) };
    } catch (error) {
      const ready = () => {
        throw error;
      };
      return { ...none, ready };
    }
  }

  protected missing(credentialId: string): string {
    return `There is no credential "${credentialId}". Create it, or take credentialId out of the node.`;
  }
}
