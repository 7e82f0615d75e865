import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';

/** Returns the column of a property: `flow_id` for `flowId`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names columns after the properties of their entity, unless the entity gives another name. */
export class ColumnNames extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, name: string | undefined): string {
    return name ?? columnName(property);
  }
}
