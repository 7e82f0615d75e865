import { getMetadataArgsStorage } from 'typeorm';
import { columnName } from './column-names.js';
import type { SqlValue } from './tx.js';

interface EntityColumn {
  property: string;
  name: string;
  type: string;
}

/** How the columns of a row are made from what is given, by property; what is undefined is written as NULL. */
export type MadeColumns<Entity, Given> = {
  readonly [Property in keyof Entity]?: (given: Given) => Entity[Property] | undefined;
};

/**
 * The columns of an entity as its decorators say them, for SQL that is written by hand: the lists are built once, when
 * a module is loaded, and written nowhere else.
 */
export class EntityColumns<Entity extends object> {
  readonly table: string;
  private readonly columns: ReadonlyMap<string, EntityColumn>;

  constructor(entity: new () => Entity) {
    const metadata = getMetadataArgsStorage();
    this.table = metadata.filterTables(entity)[0]!.name!;
    this.columns = new Map(
      metadata
        .filterColumns(entity)
        .map(({ propertyName: property, options: { name, type } }) => [
          property,
          { property, name: name ?? columnName(property), type: type as string },
        ]),
    );
  }

  name(property: keyof Entity & string): string {
    return this.named(property).name;
  }

  /** `executions.flow_id AS "flowId", …`: rows that are selected so have the entity's properties. */
  selected<Property extends keyof Entity & string>(properties: readonly Property[]): string {
    return properties.map((property) => `${this.table}.${this.name(property)} AS "${property}"`).join(', ');
  }

  /** All of its properties but these. */
  without<Property extends keyof Entity & string>(
    others: readonly Property[],
  ): Exclude<keyof Entity & string, Property>[] {
    const left = [...this.columns.keys()].filter((property) => !others.includes(property as Property));
    return left as Exclude<keyof Entity & string, Property>[];
  }

  /** The columns that are made of `Given`, in one order everywhere. */
  made<Given>(made: MadeColumns<Entity, Given>): RowMaker<Given> {
    const makers = Object.entries(made) as [string, (given: Given) => SqlValue | undefined][];
    const columns = makers.map(([property]) => this.named(property));
    return new RowMaker(
      this.table,
      columns,
      makers.map(([, make]) => make),
    );
  }

  /** All of them, of whole entities. */
  whole(): RowMaker<Entity> {
    const columns = [...this.columns.values()];
    const makers = columns.map(
      ({ property }) =>
        (row: Entity) =>
          row[property as keyof Entity] as SqlValue,
    );
    return new RowMaker(this.table, columns, makers);
  }

  private named(property: string): EntityColumn {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.table} has no column "${property}"`);
    return column;
  }
}

/** Turns what is given into the values of some columns. */
export class RowMaker<Given> {
  /** `INSERT INTO … (…) VALUES`. */
  readonly insert: string;

  constructor(
    table: string,
    readonly columns: readonly EntityColumn[],
    private readonly makers: readonly ((given: Given) => SqlValue | undefined)[],
  ) {
    this.insert = `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES`;
  }

  values(given: Given): SqlValue[] {
    return this.makers.map((make) => make(given) ?? null);
  }
}
