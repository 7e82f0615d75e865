import { type ReactNode, useState } from 'react';
import { Button } from './actions/button.js';
import { numberInWords } from './words.js';
import './data-table.css';

export interface Column<Row> {
  name: string;
  /** `number` is aligned right; `actions` has a hidden name. */
  kind?: 'text' | 'number' | 'actions';
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The page loads the list in parts, so all given rows are shown. */
  inParts?: boolean;
  /** For styles of this table only. */
  className?: string;
}

const SHOWN_AT_ONCE = 200;

/**
 * A table that becomes a list of cards on a phone. The roles are explicit because browsers drop those of a table with
 * another CSS display.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  inParts = false,
  className = '',
}: DataTableProps<Row>) {
  const [most, setMost] = useState(inParts ? Infinity : SHOWN_AT_ONCE);
  const shown = rows.slice(0, most);
  return (
    <>
      <table className={`data-table ${className}`} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, kind = 'text' }) => (
              <th key={name} role="columnheader" scope="col" className={`cell-${kind}`}>
                {kind === 'actions' ? <span className="hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, index) => (
                <Cell key={column.name} column={column} row={row} isHead={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button onPress={() => setMost(most + SHOWN_AT_ONCE * 5)}>
          Show more of {numberInWords(rows.length)}
        </Button>
      )}
    </>
  );
}

function Cell<Row>({ column, row, isHead }: { column: Column<Row>; row: Row; isHead: boolean }) {
  const { name, kind = 'text', cell } = column;
  if (isHead)
    return (
      <th role="rowheader" scope="row" className="cell-head">
        {cell(row)}
      </th>
    );
  return (
    <td role="cell" className={`cell-${kind}`}>
      {kind !== 'actions' && (
        <span className="cell-label" aria-hidden="true">
          {name}
        </span>
      )}
      <div>{cell(row)}</div>
    </td>
  );
}
