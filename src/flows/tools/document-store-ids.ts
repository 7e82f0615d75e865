import { Injectable } from '@nestjs/common';

/** The document stores that are here, the oldest first. */
export class StoresHere {
  private readonly ids: ReadonlySet<string>;
  private readonly byName = new Map<string, string>();

  constructor(stores: readonly { id: string; name: string }[]) {
    this.ids = new Set(stores.map(({ id }) => id));
    for (const { id, name } of stores) if (!this.byName.has(name)) this.byName.set(name, id);
  }

  /** The id of the store that an export names as `<id>:<name>`, by its id or its name alone: by the id, else by the name. */
  find(named: string): string | undefined {
    const mark = named.indexOf(':');
    const [id, name] = mark < 0 ? [named, named] : [named.slice(0, mark), named.slice(mark + 1)];
    if (this.ids.has(named)) return named;
    return this.ids.has(id) ? id : (this.byName.get(name.trim()) ?? this.byName.get(named));
  }
}

/** Which document stores there are; the module that keeps them hands in the list. None where there is no such module. */
@Injectable()
export class DocumentStoreIds {
  private list: () => Promise<readonly { id: string; name: string }[]> = () => Promise.resolve([]);

  come(list: () => Promise<readonly { id: string; name: string }[]>): void {
    this.list = list;
  }

  async all(): Promise<StoresHere> {
    return new StoresHere(await this.list());
  }
}
