import { Injectable } from '@nestjs/common';

/** Where nodes get the secrets that a flow names by `credentialId`. Whoever keeps credentials provides another. */
@Injectable()
export class CredentialSource {
  /** The key of a credential. Rejects with a sentence for the flow's owner when there is none with this id. */
  apiKey(credentialId: string): Promise<string> {
    return Promise.reject(
      new Error(`There is no credential "${credentialId}". Create it, or take credentialId out of the node.`),
    );
  }
}
