import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../database/database-reader.js';
import { SharedRead } from '../database/shared-read.js';
import { FlowStore } from '../flows/store/flow-store.js';
import type { FlowCall } from './flow-call.js';

/** The rows of a call's address, flow and key. */
export interface AccessRows {
  /** Epoch milliseconds; 0 where the address has never been blocked. */
  blockedUntil: number;
  /** The revision of the flow; null when there is no such flow. */
  revision: string | null;
  /** The key of `keyHash`: the flow's, as this process last read the flow; empty for none. */
  keyId: string;
  /** SHA-256 as hexadecimal digits; null when the key was revoked. */
  keyHash: string | null;
}

interface Row {
  address: string;
  flow_id: string;
  key_id: string;
  blocked_until: number | null;
  revision: string | null;
  hash: string | null;
}

const WANTED = '(CAST(? AS text), CAST(? AS text), CAST(? AS text))';

const statement = (count: number): string =>
  `WITH wanted (address, flow_id, key_id) AS (VALUES ${Array<string>(count).fill(WANTED).join(', ')})
   SELECT wanted.address, wanted.flow_id, wanted.key_id, blocks.blocked_until, flows.revision, api_keys.hash FROM wanted
   LEFT JOIN address_strikes AS blocks ON blocks.address = wanted.address
   LEFT JOIN flows ON flows.id = wanted.flow_id
   LEFT JOIN api_keys ON api_keys.id = wanted.key_id AND api_keys.revoked_at IS NULL`;

/**
 * Reads the caller's block, the flow and its key once per call, for all the checks in front of a flow. Calls that
 * arrive together share one statement. Nothing outlives its call, so that changes by other replicas hold at once.
 */
@Injectable()
export class AccessCache {
  private readonly rows: SharedRead<Row>;
  private readonly known = new WeakMap<FlowCall, Promise<AccessRows>>();

  constructor(
    reader: DatabaseReader,
    private readonly flows: FlowStore,
  ) {
    const keyOf = (row: Row) => [row.address, row.flow_id, row.key_id];
    this.rows = new SharedRead(reader, statement, keyOf);
  }

  /** Returns the rows of the call, read at the first request for them. */
  read(call: FlowCall): Promise<AccessRows> {
    let rows = this.known.get(call);
    if (!rows) this.known.set(call, (rows = this.readAgain(call.address, call.flowId)));
    return rows;
  }

  /** Reads the rows of an address and a flow as they are now. */
  async readAgain(address: string, flowId = ''): Promise<AccessRows> {
    const flow = FlowStore.isFlowId(flowId) ? flowId : '';
    const keyId = this.flows.cached(flow)?.access.apiKeyId ?? '';
    const row = await this.rows.one(address, flow, keyId);
    return {
      blockedUntil: row?.blocked_until ?? 0,
      revision: row?.revision ?? null,
      keyId,
      keyHash: row?.hash ?? null,
    };
  }
}
