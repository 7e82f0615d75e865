import { Injectable } from '@nestjs/common';

/** Which document stores there are; the room that keeps them says so. None where there is no such room. */
@Injectable()
export class DocumentStoreIds {
  private list: () => Promise<readonly string[]> = () => Promise.resolve([]);

  come(list: () => Promise<readonly string[]>): void {
    this.list = list;
  }

  async all(): Promise<ReadonlySet<string>> {
    return new Set(await this.list());
  }
}
