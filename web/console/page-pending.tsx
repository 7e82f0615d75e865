import { LateSign } from './parts/waiting/late-sign.js';
import { Loading } from './parts/waiting/loading.js';

export function PagePending() {
  return (
    <LateSign>
      <Loading label="Loading the page" />
    </LateSign>
  );
}
