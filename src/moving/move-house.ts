import { StoresHere } from '../flows/tools/document-store-ids.js';
import { moveCredentials } from './belongings/move-credentials.js';
import { moveKeys } from './belongings/move-keys.js';
import type { ForeignCredential } from './belongings/read-credentials.js';
import { readTools } from './belongings/read-tools.js';
import { readVariables } from './belongings/read-variables.js';
import { tellTheRest } from './belongings/tell-the-rest.js';
import { moveFlows } from './flows/move-flows.js';
import { moveHistory } from './history/move-history.js';
import type { Move } from './move.js';

/** Moves a house, part by part: what flows name, the flows, and what was said to them. Each part can be done again. */
export async function moveHouse(move: Move, opened: readonly ForeignCredential[]): Promise<void> {
  const credentials = await moveCredentials(move, opened);
  const keys = await moveKeys(move);
  const [tools, variables] = [await readTools(move.source), await readVariables(move.source)];
  const stores = new StoresHere(await move.target.stores.names());
  await moveFlows(move, { credentials, keys, tools, variables, stores });
  await moveHistory(move);
  await tellTheRest(move, stores);
}
