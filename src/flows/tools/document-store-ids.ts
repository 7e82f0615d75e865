import { Injectable } from '@nestjs/common';

/** The existing document stores, oldest first. */
export class StoresHere {
  private readonly ids: ReadonlySet<string>;
  private readonly byName = new Map<string, string>();

  constructor(stores: readonly { id: string; name: string }[]) {
    this.ids = new Set(stores.map(({ id }) => id));
    for (const { id, name } of stores) if (!this.byName.has(name)) this.byName.set(name, id);
  }

  /** Returns the id of the store that an export names by id, name, or `<id>:<name>`; the id takes precedence. */
  find(named: string): string | undefined {
    const mark = named.indexOf(':');
    const [id, name] = mark < 0 ? [named, named] : [named.slice(0, mark), named.slice(mark + 1)];
    if (this.ids.has(named)) return named;
    return this.ids.has(id) ? id : (this.byName.get(name.trim()) ?? this.byName.get(named));
  }
}

/** Lists document stores; the module that stores them supplies the list. Empty without that module. */
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
