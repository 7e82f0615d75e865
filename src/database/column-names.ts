import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';

/** `flowId` is kept in `flow_id`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns are named for the properties of their entity, unless that says another name. */
export class ColumnNames extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, name: string | undefined): string {
    return name ?? columnName(property);
  }
}
