import { Loading } from './parts/loading.js';

export function PagePending() {
  return <Loading label="Loading the page" />;
}
