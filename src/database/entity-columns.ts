import { getMetadataArgsStorage } from 'typeorm';
import { columnName } from './column-names.js';
import type { SqlValue } from './tx.js';

interface EntityColumn {
  property: string;
  name: string;
  type: string;
}

/** Functions by property that make the columns of a row; undefined becomes NULL. */
type MadeColumns<Entity, Given> = {
  readonly [Property in keyof Entity]?: (given: Given) => Entity[Property] | undefined;
};

/**
 * The columns of an entity from its decorators, for SQL that is written by hand. The lists are built once, when a module is
 * loaded.
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

  /** Returns `executions.flow_id AS "flowId", …`, so that selected rows have the entity's properties. */
  selected<Property extends keyof Entity & string>(properties: readonly Property[]): string {
    return properties.map((property) => `${this.table}.${this.name(property)} AS "${property}"`).join(', ');
  }

  /** Returns all properties but these. */
  without<Property extends keyof Entity & string>(
    others: readonly Property[],
  ): Exclude<keyof Entity & string, Property>[] {
    const left = [...this.columns.keys()].filter((property) => !others.includes(property as Property));
    return left as Exclude<keyof Entity & string, Property>[];
  }

  /** Returns a maker of rows with these columns, in a fixed order. */
  made<Given>(made: MadeColumns<Entity, Given>): RowMaker<Given> {
    const makers = Object.entries(made) as [string, (given: Given) => SqlValue | undefined][];
    const columns = makers.map(([property]) => this.named(property));
    return new RowMaker(
      this.table,
      columns,
      makers.map(([, make]) => make),
    );
  }

  /** Returns a maker of rows with all columns from entities. */
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

/** Turns a value into the columns of a row. */
class RowMaker<Given> {
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
