import { LateSign } from './parts/late-sign.js';
import { Loading } from './parts/loading.js';

export function PagePending() {
  return (
    <LateSign>
      <Loading label="Loading the page" />
    </LateSign>
  );
}
